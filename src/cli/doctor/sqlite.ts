/** Which driver an application opens SQLite files with. */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { filesBelow } from '../source-files.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'

const about = topic('sqlite')

const INSTALLED = /"(?:libsql|@libsql\/client)"\s*:/
const SOURCE = /\.[cm]?[jt]sx?$/

/** Code that opens a file with a driver that loses writes. */
const OPENS: readonly (readonly [driver: string, pattern: RegExp])[] = [
  ['libsql', /(?:\bfrom|\bimport\(|\brequire\()\s*['"]libsql['"]/],
  ['@libsql/client', /\bcreateClient\(\s*\{[^}]*\burl:\s*['"`]file:/],
]

/**
 * Looks for code that opens SQLite files with a driver that commits nothing after `SQLITE_BUSY`. Reads the source files
 * only when such a driver is in `package.json`.
 */
export function examineSqlite(folder: string): readonly Finding[] {
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest) || !INSTALLED.test(readFileSync(manifest, 'utf8'))) return []
  const paths = [...filesBelow(folder)].flatMap(({ kind, path }) =>
    kind === 'file' && SOURCE.test(path) ? [path] : [],
  )
  return paths.flatMap((path) => {
    const source = readFileSync(path, 'utf8')
    return OPENS.filter(([, pattern]) => pattern.test(source)).map(([driver]) =>
      about.warning(
        `${relative(folder, path)} opens a file with ${driver}: after one SQLITE_BUSY, later writes are not committed.`,
        "Open it with openSqlite('app.db') of lib-auth/adapters/sqlite: it prefers node:sqlite, then better-sqlite3, sets a busy timeout, and replaces a connection of libsql after SQLITE_BUSY.",
      ),
    )
  })
}
