/** Installed packages that are too old, vulnerable, or lose writes. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { filesBelow } from '../source-files.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './subject.ts'

/** The oldest tested versions. */
const OLDEST: Readonly<Record<string, string>> = {
  next: '14.2.0',
  react: '18.2.0',
  'drizzle-orm': '0.34.0',
  kysely: '0.27.0',
  nodemailer: '6.0.0',
}
/** The first versions of Next.js 15 and 16 without known vulnerabilities. */
const SAFE_NEXT = ['15.5.18', '16.2.6'] as const

function isBefore(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) < 0
}

/** The version in the nearest `node_modules`. */
function installedVersion(folder: string, name: string): string | undefined {
  const path = join(folder, 'node_modules', name, 'package.json')
  if (existsSync(path)) return /"version"\s*:\s*"([^"]+)"/.exec(readFileSync(path, 'utf8'))?.[1]
  return dirname(folder) === folder ? undefined : installedVersion(dirname(folder), name)
}

export function* checkPackages({ folder }: Subject): Generator<Finding> {
  for (const [name, oldest] of Object.entries(OLDEST)) {
    const version = installedVersion(folder, name)
    const { warning, error } = topic(name)
    if (version === undefined) continue
    const [safe15, safe16] = SAFE_NEXT
    if (isBefore(version, oldest))
      yield error`version ${version} is installed; lib-auth supports ${oldest} and newer. → Run: npm install ${name}@latest`
    else if (name === 'next' && isBefore(version, version.startsWith('15.') ? safe15 : safe16))
      yield warning`version ${version} has known vulnerabilities, fixed in ${SAFE_NEXT.join(' and ')}. → Run: npm install next@latest, or next@15.5 to stay on version 15.`
  }
}

/** Code that opens a file with a driver that commits nothing after `SQLITE_BUSY`. */
const SQLITE_DRIVERS: readonly (readonly [driver: string, pattern: RegExp])[] = [
  ['libsql', /(?:\bfrom|\bimport\(|\brequire\()\s*['"]libsql['"]/],
  ['@libsql/client', /\bcreateClient\(\s*\{[^}]*\burl:\s*['"`]file:/],
]

export function* checkSqlite({ folder }: Subject): Generator<Finding> {
  const manifest = join(folder, 'package.json')
  const dependencies = existsSync(manifest) ? readFileSync(manifest, 'utf8') : ''
  if (!/"(?:libsql|@libsql\/client)"\s*:/.test(dependencies)) return
  for (const { kind, path } of filesBelow(folder)) {
    const source = kind === 'file' && /\.[cm]?[jt]sx?$/.test(path) ? readFileSync(path, 'utf8') : ''
    for (const [driver, pattern] of SQLITE_DRIVERS)
      if (pattern.test(source))
        yield topic('sqlite')
          .warning`${relative(folder, path)} opens a file with ${driver}, which does not commit later writes after one SQLITE_BUSY. → Use openSqlite('app.db') of lib-auth/adapters/sqlite.`
  }
}
