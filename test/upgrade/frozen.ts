/** Data of a release, as `npm run freeze` writes it. */
import { readFileSync } from 'node:fs'
import { vi } from 'vitest'
import type { Library } from './library.ts'
import { CASES } from './cases.ts'
import type { Kept } from './cases.ts'
import { openSite } from './site.ts'
import type { Site, SiteName } from './site.ts'

export interface FrozenCase {
  readonly cookies: Readonly<Record<string, string>>
  readonly kept: Kept
  /** File with the rows, below `database`. */
  readonly rows: string
}

export interface Frozen {
  readonly version: string
  /** When it was frozen, in milliseconds since the epoch. */
  readonly at: number
  readonly cases: Readonly<Record<string, FrozenCase>>
}

export const CAPTURED_AT = Date.UTC(2026, 0, 2, 3, 4, 5)

export function setClock(time: number): void {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(time)
}

export async function capture(
  library: Library,
  name: string,
): Promise<FrozenCase & { readonly sql: string }> {
  setClock(CAPTURED_AT)
  const { begin, site: siteName } = caseOf(name)
  const site = await openSite(library, siteName)
  const kept = (await begin(site)) ?? {}
  const sql = site.dump()
  site.close()
  const cookies = Object.fromEntries(site.tab.cookies.all().map((each) => [each.name, each.value]))
  return { cookies, kept, rows: `${name.replaceAll(/\W+/g, '-')}.sql`, sql }
}

export function caseOf(name: string): (typeof CASES)[string] {
  const found = CASES[name]
  if (found) return found
  throw new Error(`The case "${name}" of a release is gone. Cases stay until a major.`)
}

export function readFrozen(folder: URL): Frozen {
  return JSON.parse(readFileSync(new URL('cases.json', folder), 'utf8')) as Frozen
}

export interface Replay {
  readonly frozen: FrozenCase
  readonly folder: URL
  readonly at: number
  readonly site: SiteName
}

/** The site of a later release, with the rows and cookies of an earlier one. */
export async function replay(
  library: Library,
  { frozen, folder, at, site: name }: Replay,
): Promise<Site> {
  setClock(at)
  const sql = readFileSync(new URL(`database/${frozen.rows}`, folder), 'utf8')
  const site = await openSite(library, name, sql)
  for (const [cookie, value] of Object.entries(frozen.cookies)) site.tab.cookies.set(cookie, value)
  return site
}
