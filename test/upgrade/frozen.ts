/** Data of a release, as `npm run freeze` writes it. */
import { readdirSync, readFileSync } from 'node:fs'
import { vi } from 'vitest'
import { isAfter } from '../../tools/release-files.mjs'
import type { Session } from '../../src/index.ts'
import type { Library } from './library.ts'
import { CASES } from './cases.ts'
import type { Kept } from './cases.ts'
import { openSite } from './site.ts'
import type { Site, SiteName } from './site.ts'

export interface FrozenCase {
  readonly cookies: Readonly<Record<string, string>>
  readonly kept: Kept
  /** Of a user who is signed in; `0.1.0-rc.0` has not stored it. */
  readonly session?: Session
  /** Statements that insert the rows of the database. */
  readonly rows: readonly string[]
}

export interface Frozen {
  readonly version: string
  /** When it was frozen, in milliseconds since the epoch. */
  readonly at: number
  /** Statements that create the tables. */
  readonly tables: readonly string[]
  readonly cases: Readonly<Record<string, FrozenCase>>
}

/** The releases whose data is frozen, the oldest first. */
export const frozenVersions = (): string[] =>
  readdirSync(new URL('./', import.meta.url))
    .filter((name) => /^\d/.test(name))
    .sort((one, other) => (isAfter(one, other) ? 1 : -1))

export const CAPTURED_AT = Date.UTC(2026, 0, 2, 3, 4, 5)

export function setClock(time: number): void {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(time)
}

export async function capture(library: Library, name: string): Promise<FrozenCase> {
  setClock(CAPTURED_AT)
  const { begin, site: siteName } = caseOf(name)
  const site = await openSite(library, siteName)
  const kept = (await begin(site)) ?? {}
  return store(site, name, kept)
}

async function store(site: Site, name: string, kept: Kept): Promise<FrozenCase> {
  const session = caseOf(name).kind === 'session' ? await site.tab.session() : null
  const rows = await site.dump()
  await site.close()
  const cookies = Object.fromEntries(site.tab.cookies.all().map((each) => [each.name, each.value]))
  return { cookies, kept, ...(session && { session }), rows }
}

/** A session that has been extended, seconds after it began. */
export async function roll(
  library: Library,
  { tables, cases, at }: Frozen,
  name: string,
  seconds: number,
): Promise<FrozenCase> {
  const frozen = cases[name] as FrozenCase
  const site = await replay(library, {
    tables,
    frozen,
    at: at + seconds * 1000,
    site: laterSite(name),
  })
  await site.tab.session()
  return store(site, name, frozen.kept)
}

/** The site of a later release. */
export function laterSite(name: string): SiteName {
  const found = caseOf(name)
  return (found.kind === 'session' && found.laterSite) || found.site
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
  readonly tables: readonly string[]
  readonly frozen: FrozenCase
  readonly at: number
  readonly site: SiteName
}

/** The site of a later release, with the rows and cookies of an earlier one. */
export async function replay(
  library: Library,
  { tables, frozen, at, site: name }: Replay,
): Promise<Site> {
  setClock(at)
  // What a process remembers, such as its last refresh of a token.
  Object.assign(globalThis, { [Symbol.for('lib-auth.process.1')]: {} })
  const site = await openSite(library, name, [...tables, ...frozen.rows])
  for (const [cookie, value] of Object.entries(frozen.cookies)) site.tab.cookies.set(cookie, value)
  return site
}
