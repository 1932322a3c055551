/** `lib-auth upgrade` prints the notes since the version in use, and runs what an upgrade needs; it installs nothing. */
import { readFileSync } from 'node:fs'
import { styleText } from 'node:util'
import { asRecord } from '../core/is-record.ts'
import { migrateCommand } from './database/command.ts'
import { doctor } from './doctor/doctor.ts'
import { loadEnvironment } from './env-files.ts'
import { Failure, isMissingPackage, UsageError } from './errors.ts'
import { readLockFile } from './lock-files.ts'
import { importsOthers, migrateImports } from './migrate-imports/migrate-imports.ts'
import { isDatabaseUrl } from './options.ts'
import type { Values } from './options.ts'
import { byVersion, ownVersion, releaseOf } from './own-version.ts'
import { printedPage } from './print-page.ts'
import type { ExitCode, Terminal } from './terminal.ts'

/** What the package contains. */
export interface Shipped {
  readonly changelog: string
  readonly version: string
}

function readShipped(): Shipped {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
  return { changelog, version: ownVersion() }
}

const VERSION = /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/

/** The sections of the changelog after the version before. @throws Failure, or UsageError for `--from` */
function notesSince(before: string, source: string, { changelog, version }: Shipped): string[] {
  const found = changelog.matchAll(/^## (\d[\w.]*).*\n(?:(?!## ).*\n?)*/gm)
  const sections = Array.from(found, ([text, of = '']) => ({ of, text }))
  const fail = (message: string) =>
    source === '--from' ? new UsageError(message) : new Failure(message)
  const from = releaseOf(before)
  const to = releaseOf(version)
  if (VERSION.test(before) && byVersion(from, to) > 0)
    throw fail(
      `lib-auth ${before} (${source}) is newer than lib-auth ${version}, which runs this command. Run: npx lib-auth@latest upgrade`,
    )
  if (!sections.some(({ of }) => of === from))
    throw fail(
      `The changelog does not contain lib-auth ${before} (${source}). Name one of its versions: --from ${sections.map(({ of }) => of).join(', ')}`,
    )
  // A release comes after its prereleases.
  const least = from === before || before === version ? 1 : 0
  return sections.flatMap(({ of, text }) =>
    byVersion(of, from) >= least && byVersion(of, to) <= 0 ? [text] : [],
  )
}

function printNotes({ from }: Values, terminal: Terminal, shipped: Shipped): void {
  const { version: before, source } =
    from === undefined ? readLockFile(process.cwd()) : { version: from, source: '--from' }
  if (before === undefined)
    return terminal.print(
      `${source} contains no version of lib-auth, so the changelog is not printed. To print what is new since a version: --from <version>`,
    )
  const notes = notesSince(before, source, shipped)
  for (const line of notes.flatMap((each) => [...printedPage(each, '../CHANGELOG.md'), '']))
    terminal.print(line)
  if (notes.length > 0) return
  terminal.print(
    `The changelog has nothing between lib-auth ${before} (${source}) and ${shipped.version}, which runs this command. If you have installed it already, name the version that was in use: --from <version>`,
  )
}

/** Prints the statements that the database needs, if the command can inspect it. */
async function printStatements(values: Values, terminal: Terminal): Promise<ExitCode> {
  const url = values.url ?? loadEnvironment(process.cwd(), process.env).env['DATABASE_URL']
  const because = (reason: string): ExitCode => {
    terminal.print(`Not inspected: ${reason}`)
    return 0
  }
  if (!url) return because('DATABASE_URL is not set. Use --url <url of the database>.')
  // One that is given is an argument, and has to be valid.
  if (values.url === undefined && !isDatabaseUrl(url))
    return because(
      'DATABASE_URL is not that of PostgreSQL, MySQL, MariaDB or an SQLite file. To name another: --url <url of the database>.',
    )
  try {
    return await migrateCommand({ ...values, 'dry-run': true }, terminal)
  } catch (error) {
    if (!isMissingPackage(asRecord(error)['cause'])) throw error
    return because(
      'kysely or the driver of the database is not installed next to this command. With the adapter for Kysely, install the release, and run: npx lib-auth migrate --dry-run. With Drizzle or Prisma, compare your tables with those that are printed by: npx lib-auth schema',
    )
  }
}

export async function upgrade(
  values: Values,
  terminal: Terminal,
  shipped: Shipped = readShipped(),
): Promise<ExitCode> {
  const { config, 'dry-run': isDryRun = false } = values
  const begin = (title: string) => terminal.print(`\n${styleText('bold', title)}`)
  printNotes(values, terminal, shipped)
  const codes: ExitCode[] = []
  if (importsOthers('.', terminal)) {
    begin('Imports: npx lib-auth migrate-imports')
    codes.push(migrateImports('.', isDryRun, terminal))
  }
  begin('Configuration: npx lib-auth doctor')
  codes.push(await doctor(config === undefined ? {} : { config }, terminal))
  begin('Database: npx lib-auth migrate --dry-run')
  codes.push(await printStatements(values, terminal))
  terminal.print(
    '\nNothing was installed, and the database was not changed.\nGuide: node_modules/lib-auth/docs/upgrade.md',
  )
  return codes.includes(1) ? 1 : 0
}
