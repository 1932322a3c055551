/** Which releases of the packages around the library an application has installed. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'

type Version = readonly [major: number, minor: number, patch: number]

/** The oldest release that is tested, of what the library imports. */
const OLDEST: Readonly<Record<string, Version>> = {
  next: [14, 2, 0],
  react: [18, 2, 0],
  'drizzle-orm': [0, 34, 0],
  kysely: [0, 27, 0],
  nodemailer: [6, 0, 0],
}

/** The first release of Next.js without known vulnerabilities, in the order of the lines that have one. */
const SAFE_NEXT: readonly Version[] = [
  [15, 5, 18],
  [16, 2, 6],
]

function isBefore(version: Version, other: Version): boolean {
  const index = version.findIndex((part, at) => part !== other[at])
  return index !== -1 && (version[index] ?? 0) < (other[index] ?? 0)
}

/** Whether a release is in a line that is repaired, and new enough there, or newer than all of them. */
function isSafeNext(version: Version): boolean {
  return SAFE_NEXT.some(
    (safe, at) =>
      !isBefore(version, safe) && (version[0] === safe[0] || at === SAFE_NEXT.length - 1),
  )
}

/** The installed version of a package, as Node finds it from a folder; `undefined`: it is not installed. */
function installedVersion(folder: string, name: string): string | undefined {
  const path = join(folder, 'node_modules', name, 'package.json')
  if (existsSync(path)) {
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const version: unknown =
      typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : ''
    return String(version)
  }
  const parent = dirname(folder)
  return parent === folder ? undefined : installedVersion(parent, name)
}

function examineVersion(name: string, text: string): Finding[] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(text) ?? []
  const version: Version = [Number(major), Number(minor), Number(patch)]
  const oldest = OLDEST[name]
  const about = topic(name)
  if (oldest && isBefore(version, oldest))
    return [
      about.error(
        `${text} is installed; lib-auth is tested with ${oldest.join('.')} and newer.`,
        `Run: npm install ${name}@latest`,
      ),
    ]
  if (name !== 'next' || isSafeNext(version)) return []
  return [
    about.warning(
      `${text} has known vulnerabilities; ${SAFE_NEXT.map((each) => each.join('.')).join(' and ')} are the first releases without.`,
      'Run: npm install next@latest, or next@15.5 to stay on version 15.',
    ),
  ]
}

/** Reports installed packages that are too old for the library, or that are not safe. */
export function examineDependencies(folder: string): readonly Finding[] {
  return Object.keys(OLDEST).flatMap((name) => {
    const version = installedVersion(folder, name)
    return version === undefined ? [] : examineVersion(name, version)
  })
}
