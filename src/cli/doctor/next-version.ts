/** Whether the installed Next.js has known vulnerabilities. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './subject.ts'

/** The first versions of Next.js 15 and 16 without known vulnerabilities. */
const SAFE = ['15.5.18', '16.2.6'] as const

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
