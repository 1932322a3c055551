import { add } from './add.ts'
import { migrateCommand } from './database/command.ts'
import { doctor } from './doctor/doctor.ts'
import { newSecret, writeSecret } from './env-files.ts'
import { explain } from './explain.ts'
import { migrateImports } from './migrate-imports/migrate-imports.ts'
import { NAMING, WITH } from './options.ts'
import type { Arguments, OptionHelp } from './options.ts'
import { printSchema } from './schema.ts'
import type { ExitCode, Terminal } from './terminal.ts'
import { upgrade } from './upgrade.ts'

export interface Command {
  readonly summary: string
  /** More than the summary, in lines of at most 90 characters. */
  readonly details?: string
  readonly options: OptionHelp
  readonly argument?: string
  readonly example: string
  readonly run: (given: Arguments, terminal: Terminal) => ExitCode | Promise<ExitCode>
}

export const COMMANDS: Readonly<Record<string, Command>> = {
  doctor: {
    summary: 'Check a configuration, its environment, and optionally a running site',
    details: `Loads auth.ts and the
.env files as Next.js does, and requests the metadata of issuers. Changes nothing, and prints
no secret.`,
    options: {
      config: ['<file>', 'Module with the configuration (default: auth.ts here, in src, lib, …)'],
      url: ['<url>', 'Also check a running site; a path is its base path'],
      downgrade: ['<version>', 'Also list what an older version, or next-auth, cannot do'],
      json: ['', 'Print one JSON object'],
    },
    example: 'npx lib-auth doctor --url http://localhost:3000',
    run: ({ values }, terminal) => doctor(values, terminal),
  },
  migrate: {
    summary: 'Create the tables, columns and indexes that the database lacks',
    details: `Never changes or
deletes existing ones. Prints the statements, and asks before it runs them.`,
    options: {
      url: ['<url>', 'postgres:, mysql:, mariadb:, file: or sqlite: (default: DATABASE_URL)'],
      yes: ['', 'Run the statements without asking, for example in CI'],
      'dry-run': ['', 'Only print the statements'],
      check: ['', 'Like --dry-run, with exit code 1 if the database is not complete'],
      ...WITH,
      ...NAMING,
    },
    example: 'npx lib-auth migrate --url postgres://user:password@localhost:5432/app',
    run: ({ values }, terminal) => migrateCommand(values, terminal),
  },
  schema: {
    summary: 'Print the tables as SQL, as a Drizzle module or as Prisma models',
    options: {
      adapter: ['kysely|drizzle|prisma', 'Print SQL, a Drizzle module or Prisma models (required)'],
      dialect: ['<name>', 'postgres (default), mysql, mariadb or sqlite'],
      out: ['<file>', 'Write to a new file; an existing one is not changed'],
      ...WITH,
      ...NAMING,
    },
    example: 'npx lib-auth schema --adapter drizzle --dialect sqlite --out db/schema.ts',
    run: ({ values }, terminal) => printSchema(values, terminal),
  },
  secret: {
    summary: 'Write a new AUTH_SECRET to .env.local',
    details: 'Never replaces an existing one.',
    options: { print: ['', 'Print a secret and write nothing'] },
    example: 'npx lib-auth secret --print',
    run({ values }, terminal) {
      const lines = values.print ? [newSecret()] : writeSecret(process.cwd())
      for (const line of lines) terminal.print(line)
      return 0
    },
  },
  add: {
    summary: 'Print how to set up a provider, and prepare its environment variables',
    details: `Adds
the missing variables to .env.local, without values. Lists the providers if no name is given.`,
    argument: '[provider]',
    options: { 'dry-run': ['', 'Print the page and write nothing'] },
    example: 'npx lib-auth add github',
    run: ({ values, positionals: [, name] }, terminal) =>
      add(name, { folder: process.cwd(), isDryRun: values['dry-run'] ?? false }, terminal),
  },
  explain: {
    summary: 'Print what an error means, its usual cause and the fix',
    details: `Needs no network.
Lists the errors if no type is given.`,
    argument: '[type]',
    options: {},
    example: 'npx lib-auth explain UntrustedHost',
    run: ({ positionals: [, type] }, terminal) => explain(type, terminal),
  },
  'dev-provider': {
    summary: 'Run an OpenID provider on this machine, with three users and no password',
    details: `Prints
the provider to add to the configuration. For development only: it accepts connections of this
machine, and runs with NODE_ENV=development or test, or without NODE_ENV.`,
    options: { port: ['<number>', 'Port of the provider (default: 4000; 0: a free one)'] },
    example: 'npx lib-auth dev-provider',
    async run({ values }, terminal) {
      const { devProvider } = await import('./dev-provider/dev-provider.ts')
      return devProvider(values, terminal)
    },
  },
  upgrade: {
    summary: 'Print what is new since the version in use, and check the application',
    details: `Reads the
version from the lock file, rewrites imports of next-auth, and runs doctor and migrate --dry-run.
Installs nothing, and changes nothing in the database.`,
    options: {
      from: ['<version>', 'Version that was in use before (default: that of the lock file)'],
      'dry-run': ['', 'Print the changes of imports and write nothing'],
      config: ['<file>', 'Module with the configuration, as for doctor'],
      url: ['<url>', 'URL of the database, as for migrate (default: DATABASE_URL)'],
      ...WITH,
      ...NAMING,
    },
    example: 'npx lib-auth upgrade --from 0.1.0',
    run: ({ values }, terminal) => upgrade(values, terminal),
  },
  'migrate-imports': {
    summary: 'Rewrite imports of next-auth and @auth/core',
    details: 'Lists the remaining manual steps.',
    argument: '[folder]',
    options: { 'dry-run': ['', 'Print the changes and write nothing'] },
    example: 'npx lib-auth migrate-imports --dry-run',
    run: ({ values, positionals: [, folder = '.'] }, terminal) =>
      migrateImports(folder, values['dry-run'] ?? false, terminal),
  },
}
