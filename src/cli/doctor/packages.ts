/** Packages with known problems: vulnerable versions of Next.js, and SQLite drivers that lose writes. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { filesBelow, readText } from '../files.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './subject.ts'

/** The first versions of Next.js 15 and 16 without known vulnerabilities. */
const SAFE = ['15.5.18', '16.2.6'] as const
/** Opens a file with `libsql` or `@libsql/client`, which commit nothing after `SQLITE_BUSY`. */
const LOSES_WRITES =
  /\b(?:from|import\(|require\()\s*['"]libsql['"]|\bcreateClient\(\s*\{[^}]*\burl:\s*['"`]file:/
const SOURCE = /\.[cm]?[jt]sx?$/

/** The version of Next.js in the nearest `node_modules`. */
function installedVersion(folder: string): string | undefined {
  const path = join(folder, 'node_modules/next/package.json')
  if (existsSync(path)) return /"version"\s*:\s*"([^"]+)"/.exec(readFileSync(path, 'utf8'))?.[1]
  return dirname(folder) === folder ? undefined : installedVersion(dirname(folder))
}

export function* checkNext({ order }: Subject): Generator<Finding> {
  const version = installedVersion(order.folder)
  if (version === undefined) return
  const safe = version.startsWith('15.') ? SAFE[0] : SAFE[1]
  if (version.localeCompare(safe, 'en', { numeric: true }) < 0)
    yield topic('next')
      .warning`version ${version} has known vulnerabilities, fixed in ${SAFE.join(' and ')}. → Run: npm install next@latest, or next@15.5 to stay on version 15.`
}

function losesWrites(path: string): boolean {
  try {
    return LOSES_WRITES.test(readText(path) ?? '')
  } catch {
    // A file that cannot be read is not part of the running application.
    return false
  }
}

export function* checkSqlite({ order: { folder } }: Subject): Generator<Finding> {
  for (const { path } of filesBelow(folder))
    if (SOURCE.test(path) && losesWrites(path))
      yield topic('sqlite')
        .warning`${relative(folder, path)} opens a file with libsql: after one SQLITE_BUSY, later writes are not committed. → Open it with openSqlite('app.db') of lib-auth/adapters/sqlite: it prefers node:sqlite, then better-sqlite3, sets a busy timeout, and replaces a connection of libsql after SQLITE_BUSY.`
}
