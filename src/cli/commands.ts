/** The commands, by name. */
import type { Command } from './command.ts'
import { importOptional } from './errors.ts'
import { migrateImports } from './migrate-imports.ts'
import { NAMING, readNaming } from './schema-options.ts'
import { schema } from './schema/print.ts'
import { newSecret, writeSecret } from './secret.ts'
import type { ExitCode } from './terminal.ts'
import { UsageError } from './errors.ts'

const doctor: Command = {
  usage: '[--config <file>] [--url <origin>] [--json]',
  help: `Says what is wrong with a configuration, and what to write instead: secrets, cookies,
providers, the adapter, issuers, the clock. Reads .env files as Next.js does, and auth.ts
here, in src or in lib, unless --config says where it is. With --url it asks a site that
runs, too. It changes nothing and prints no secret. Ends with 1 when something is wrong.`,
  options: ['config', 'url', 'json'],
  takes: 'nothing',
  async run({ values: { config, url, json } }, terminal): Promise<ExitCode> {
    const { doctor: look } = await import('./doctor/doctor.ts')
    const output = json ? 'json' : 'lines'
    return look({ folder: process.cwd(), config, url, output }, terminal)
  },
}

const migrate: Command = {
  usage: '--url <url> [--yes] [--dry-run]',
  help: `Makes the tables, columns and indexes that the database lacks, and never takes anything
away. The statements are shown first; then you are asked, or with --yes not. With
--dry-run they are only shown. The URL begins with postgres:, mysql:, mariadb: or file:.
Names of your own: --ids text|uuid|integer, --columns snake_case, --table users=people,
--column users.emailVerified=verified_at, --schema auth.
With --no-unique-email several users may have the same address.`,
  options: ['url', 'yes', 'dry-run', ...NAMING],
  takes: 'nothing',
  async run({ values }, terminal): Promise<ExitCode> {
    const { url, yes: isAgreed, 'dry-run': isDryRun } = values
    if (url === undefined)
      throw new UsageError('Say which database: --url postgres://user:password@localhost:5432/app')
    const naming = readNaming(values)
    const database = await importOptional('kysely', () => import('./database/migrate.ts'))
    return (await database.migrate({ url, isAgreed, isDryRun, ...naming }, terminal)) ? 0 : 1
  },
}

const secret: Command = {
  usage: '[--print]',
  help: `Writes a new AUTH_SECRET to .env.local in this folder, unless one is there or in .env.
With --print it prints a new one and writes nothing: for the settings of a server, or for
AUTH_SECRET_1 next to the old one.`,
  options: ['print'],
  takes: 'nothing',
  async run({ values }, terminal): Promise<ExitCode> {
    if (values.print) terminal.print(newSecret())
    else for (const line of await writeSecret(process.cwd())) terminal.print(line)
    return 0
  },
}

const rewriteImports: Command = {
  usage: '[folder] [--dry-run]',
  help: `Rewrites imports and module augmentations of next-auth and @auth/core, and prints
what is left to do. The folder is the current one unless you say. With --dry-run
nothing is written.`,
  options: ['dry-run'],
  takes: 'a folder',
  run({ values, positionals }, terminal) {
    const [, folder = '.', ...others] = positionals
    if (others.length > 0) throw new UsageError(`Give one folder, not ${others.length + 1}.`)
    return migrateImports({ folder, isDryRun: values['dry-run'] ?? false }, terminal)
  },
}

export const COMMANDS: Readonly<Record<string, Command>> = {
  doctor,
  migrate,
  schema,
  secret,
  'migrate-imports': rewriteImports,
}
