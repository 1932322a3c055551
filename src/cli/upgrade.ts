/** `lib-auth upgrade` prints the notes since the version in use, and runs what an upgrade needs; it installs nothing. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { asRecord } from '../core/is-record.ts'
import { migrateCommand } from './database/command.ts'
import { doctor } from './doctor/doctor.ts'
import { ancestors } from './doctor/versions.ts'
import { loadEnvironment } from './env-files.ts'
import { errorCode, Failure, UsageError } from './errors.ts'
import { importsOthers, migrateImports } from './migrate-imports/migrate-imports.ts'
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

const NPM = /"(?:\S*node_modules\/)?lib-auth": \{\s*"version": "(\d[^"]*)"/g

/** The versions of the library in each kind of lock file. */
const LOCK_FILES: readonly (readonly [name: string, versions: RegExp])[] = [
  ['package-lock.json', NPM],
  ['npm-shrinkwrap.json', NPM],
  ['pnpm-lock.yaml', /^ {2}'?\/?lib-auth[@/](\d[\w.+-]*?)(?=[:'(_])/gm],
  ['yarn.lock', /^"?lib-auth@.*:\s+version:? "?(\d[\w.+-]*)/gm],
  ['bun.lock', /"(?:\S*\/)?lib-auth": \["lib-auth@(\d[^"]*)"/g],
]

/** The version before, which may be unknown, and where it is from. */
interface Before {
  readonly version: string | undefined
  readonly source: string
}

/** The oldest version in the lock files of the nearest folder that has one. @throws UsageError without a lock file */
function readLockFile(folder: string): Before {
  for (const each of ancestors(folder)) {
    const found = LOCK_FILES.filter(([name]) => existsSync(join(each, name)))
    const versions = found.flatMap(([source, pattern]) =>
      [...readFileSync(join(each, source), 'utf8').matchAll(pattern)].map(([, version = '']) => ({
        version,
        source,
      })),
    )
    const [oldest] = versions.toSorted((one, other) => byVersion(one.version, other.version))
    if (oldest) return oldest
    if (found[0]) return { version: undefined, source: found[0][0] }
  }
  throw new UsageError(
    `There is no lock file in ${folder} or above it (${LOCK_FILES.map(([name]) => name).join(', ')}). Name the version that was in use: --from 0.1.0`,
  )
}

/** The sections of the changelog after the version before. @throws Failure, or UsageError for `--from` */
function notesSince(before: string, source: string, { changelog, version }: Shipped): string[] {
  const found = changelog.matchAll(/^## (\d[\w.]*).*\n(?:(?!## ).*\n?)*/gm)
  const sections = Array.from(found, ([text, of = '']) => ({ of, text }))
  const fail = (message: string) =>
    source === '--from' ? new UsageError(message) : new Failure(message)
  const from = releaseOf(before)
  const to = releaseOf(version)
  if (/^\d/.test(from) && byVersion(from, to) > 0)
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
  if (!url) {
    terminal.print('Not inspected: DATABASE_URL is not set. Use --url <url of the database>.')
    return 0
  }
  try {
    return await migrateCommand({ ...values, 'dry-run': true }, terminal)
  } catch (error) {
    const { cause } = asRecord(error)
    if (errorCode(cause) !== 'ERR_MODULE_NOT_FOUND') throw error
    terminal.print(
      'Not inspected: kysely or the driver of the database is not installed next to this command. With Drizzle or Prisma, compare your tables with those that are printed by: npx lib-auth schema',
    )
    return 0
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
