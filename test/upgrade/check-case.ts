/** What a later release has to do with what an earlier one has left in browsers and databases. */
import { expect } from 'vitest'
import { NextRequest } from '../frameworks/next/next-site.ts'
import type { Kept, SessionCase, SpentCase, StepCase } from './cases.ts'
import { caseOf, replay, setClock } from './frozen.ts'
import type { Frozen } from './frozen.ts'
import type { Library } from './library.ts'
import { LONGEST_IDLE } from './site.ts'
import type { Site } from './site.ts'

const DAY = 24 * 60 * 60
/** Seconds that tokens are accepted longer, because clocks differ. */
const TOLERANCE = 15

interface Check {
  readonly library: Library
  readonly frozen: Frozen
  readonly name: string
}

/** The site of a later release, some seconds after the release was frozen. */
type Open = (seconds: number) => Promise<Site>

const valuesOf = ({ tab }: Site) =>
  tab.cookies
    .all()
    .map(({ name, value }) => `${name}=${value}`)
    .filter((each) => /session/.test(each))

const origins = { http: 'http://localhost:3000' } as Readonly<Record<string, string>>

/** The user of the session, as each function reads it. */
async function readEverywhere({ library, config, tab }: Site, site: string): Promise<unknown[]> {
  const url = new URL('/page', origins[site] ?? 'https://app.test')
  const cookie = tab.cookies.header({ url, method: 'GET', initiator: 'same-site' })
  const request = () => new Request(url, { headers: { cookie } })
  const { session } = await library.core.getSession(request(), config)
  async function nameInProxy(): Promise<unknown> {
    let name: unknown
    const proxy = library.next.default(config).auth((seen) => void (name = seen.auth?.user?.name))
    const seen = new NextRequest(url, { headers: { cookie } })
    await proxy(Object.assign(seen, { sourcePage: '/proxy' }), { params: Promise.resolve({}) })
    return name ?? null
  }
  const isToken = config.session?.strategy !== 'database'
  const token = isToken ? await library.jwt.getToken({ req: request(), config }) : session?.user
  return [session?.user?.name ?? null, token?.name ?? null, await nameInProxy()]
}

/** Read, rolled once, read until the last second, and not after it. */
async function checkSession(
  open: Open,
  { site: own, laterSite = own, lasts }: SessionCase,
): Promise<void> {
  const atOnce = await open(0)
  expect(await readEverywhere(atOnce, laterSite)).toEqual(['Ada', 'Ada', 'Ada'])
  const before = valuesOf(atOnce)
  expect((await atOnce.tab.session())?.user?.name).toBe('Ada')
  expect(valuesOf(atOnce)).toEqual(before)
  await atOnce.close()

  const isRolled = lasts === LONGEST_IDLE
  const later = await open(isRolled ? DAY + 1 : DAY / 2)
  expect((await later.tab.session())?.user?.name).toBe('Ada')
  const rolled = valuesOf(later)
  if (later.config.session?.strategy !== 'database' && isRolled) expect(rolled).not.toEqual(before)
  expect((await later.tab.session())?.user?.name).toBe('Ada')
  expect(valuesOf(later)).toEqual(rolled)
  expect(await readEverywhere(later, laterSite)).toEqual(['Ada', 'Ada', 'Ada'])
  // A rolled session lasts as long as one of the release before.
  if (isRolled) setClock(Date.now() + (lasts - 1) * 1000)
  expect(await readEverywhere(later, laterSite)).toEqual(['Ada', 'Ada', 'Ada'])
  await later.close()

  const last = await open(lasts - 1)
  expect((await last.tab.session())?.user?.name).toBe('Ada')
  await last.close()
  const ended = await open(lasts + TOLERANCE + 1)
  expect(await readEverywhere(ended, laterSite)).toEqual([null, null, null])
  expect(await ended.tab.session()).toBeNull()
  await ended.close()
}

/** Completed as if nothing had happened, once, and not after its time. */
async function checkStep(open: Open, { finish, lasts }: StepCase, kept: Kept): Promise<void> {
  const site = await open(5)
  expect(await finish(site, kept)).toBe(true)
  await site.close()
  if (lasts === null) return
  const ended = await open(lasts + TOLERANCE + 1)
  expect(await finish(ended, kept)).toBe(false)
  await ended.close()
}

/** Never again, in the minute after the release and a day later. */
async function checkSpent(
  open: Open,
  { retry, counterpart }: SpentCase,
  kept: Kept,
): Promise<void> {
  for (const seconds of [5, DAY]) {
    const site = await open(seconds)
    expect(await retry(site, kept)).toBe(false)
    await site.close()
  }
  if (!counterpart) return
  const site = await open(5)
  expect(await counterpart(site, kept)).toBe(true)
  await site.close()
}

export async function checkCase({ library, frozen, name }: Check): Promise<void> {
  setClock(frozen.at)
  const given = frozen.cases[name]
  if (!given) throw new Error(`The release has no case "${name}".`)
  const found = caseOf(name)
  const site = (found.kind === 'session' && found.laterSite) || found.site
  const { at, tables } = frozen
  const open = (seconds: number) =>
    replay(library, { tables, frozen: given, at: at + seconds * 1000, site })
  if (found.kind === 'session') await checkSession(open, found)
  else if (found.kind === 'step') await checkStep(open, found, given.kept)
  else await checkSpent(open, found, given.kept)
}
