/** What a later release has to do with what an earlier one has left in browsers and databases. */
import { expect } from 'vitest'
import type { Session } from '../../src/index.ts'
import { NextRequest } from '../frameworks/next/next-site.ts'
import type { Kept, SessionCase, SpentCase, StepCase } from './cases.ts'
import { caseOf, laterSite, replay, setClock } from './frozen.ts'
import type { Frozen } from './frozen.ts'
import type { Library } from './library.ts'
import { claimsOf, LONGEST_IDLE } from './site.ts'
import type { Site, SiteName } from './site.ts'

const DAY = 24 * 60 * 60
/** Seconds that tokens are accepted longer, because clocks differ. */
const TOLERANCE = 15

interface Check {
  readonly library: Library
  readonly frozen: Frozen
  readonly name: string
  /** Seconds since a session began. @default 0 */
  readonly age?: number
}

/** The site of a later release, some seconds after the release was frozen. */
type Open = (seconds: number) => Promise<Site>

const valuesOf = ({ tab }: Site) =>
  tab.cookies
    .all()
    .map(({ name, value }) => `${name}=${value}`)
    .filter((each) => /session/.test(each))

const origins = { http: 'http://localhost:3000' } as Readonly<Record<string, string>>

/** What each function reads: the whole session twice, and the claims. */
async function readEverywhere({ library, config, tab }: Site, site: string): Promise<unknown[]> {
  const url = new URL('/page', origins[site] ?? 'https://app.test')
  const cookie = tab.cookies.header({ url, method: 'GET', initiator: 'same-site' })
  const request = () => new Request(url, { headers: { cookie } })
  const { session } = await library.core.getSession(request(), config)
  async function sessionInProxy(): Promise<Session | null> {
    let found: Session | null = null
    const proxy = library.next.default(config).auth((seen) => void (found = seen.auth))
    const seen = new NextRequest(url, { headers: { cookie } })
    await proxy(Object.assign(seen, { sourcePage: '/proxy' }), { params: Promise.resolve({}) })
    return found
  }
  const isToken = config.session?.strategy !== 'database'
  const token = isToken && (await library.jwt.getToken({ req: request(), config }))
  const claims = isToken ? token && claimsOf(token) : (session?.user ?? null)
  // As the browser receives it.
  return JSON.parse(JSON.stringify([session, await sessionInProxy(), claims])) as unknown[]
}

/** Read, rolled once, read until the last second, and not after it. */
async function checkSession(
  open: Open,
  { lasts, ends }: SessionCase,
  { site: own, age, session }: { site: SiteName; age: number; session: Session | undefined },
): Promise<void> {
  const atOnce = await open(0)
  const frozenAt = Date.now()
  const before = valuesOf(atOnce)
  const read = await atOnce.tab.session()
  expect(read?.user?.name, 'the name of the user').toBe('Ada')
  if (session) expect(read, 'the session that was stored').toMatchObject(session)
  expect(valuesOf(atOnce), 'cookies that are not rolled yet').toEqual(before)
  // Later releases may add to it.
  const { expires: _expires, ...lasting } = session ?? (read as Session)
  const claims = 'claims' in lasting ? lasting.claims : lasting.user
  const expectRead = async (site: Site, when: string) =>
    expect(await readEverywhere(site, own), when).toMatchObject([lasting, lasting, claims])
  const expectEnded = async (site: Site, when: string) => {
    expect(await readEverywhere(site, own), when).toEqual([null, null, null])
    expect(await site.tab.session(), when).toBeNull()
  }
  await expectRead(atOnce, 'read at once')
  await atOnce.close()

  const isRolled = lasts === LONGEST_IDLE
  const later = await open(isRolled ? DAY + 1 : DAY / 2)
  expect(await later.tab.session(), 'rolled').toMatchObject(lasting)
  const rolled = valuesOf(later)
  if (later.config.session?.strategy !== 'database' && isRolled)
    expect(rolled, 'rolled after a day').not.toEqual(before)
  expect(await later.tab.session(), 'read after it was rolled').toMatchObject(lasting)
  expect(valuesOf(later), 'rolled once').toEqual(rolled)
  await expectRead(later, 'read after it was rolled')
  // A rolled session lasts as long as one of the release before.
  if (isRolled) setClock(Date.now() + (lasts - 1) * 1000)
  await expectRead(later, 'the last second of a rolled session')
  if (ends) {
    const setAge = (seconds: number) => setClock(frozenAt + (seconds - age) * 1000)
    expect(await later.tab.session(), 'rolled again').toMatchObject(lasting)
    setAge(ends - 1)
    await expectRead(later, 'the last second before the absolute timeout')
    setAge(ends + TOLERANCE + 1)
    await expectEnded(later, 'ended by the absolute timeout')
  }
  await later.close()

  const last = await open(lasts - 1)
  expect(await last.tab.session(), 'the last second').toMatchObject(lasting)
  await last.close()
  const ended = await open(lasts + TOLERANCE + 1)
  await expectEnded(ended, 'ended')
  await ended.close()
}

/**
 * Completed as if nothing had happened, until its last second, and not after it. That is tried first: what was used once
 * is refused by the same process without regard to its time.
 */
async function checkStep(open: Open, { finish, lasts }: StepCase, kept: Kept): Promise<void> {
  if (lasts !== null) {
    const expired = await open(lasts + TOLERANCE + 1)
    expect(await finish(expired, kept), 'expired').toBe(false)
    await expired.close()
  }
  const site = await open(lasts === null ? 5 : lasts - 1)
  expect(await finish(site, kept), 'finished').toBe(true)
  await site.close()
}

/** Never again, in the minute after the release and a day later. */
async function checkSpent(
  open: Open,
  { retry, counterpart }: SpentCase,
  kept: Kept,
): Promise<void> {
  for (const seconds of [5, DAY]) {
    const site = await open(seconds)
    expect(await retry(site, kept), 'refused').toBe(false)
    await site.close()
  }
  if (!counterpart) return
  const site = await open(5)
  expect(await counterpart(site, kept), 'what was not used').toBe(true)
  await site.close()
}

/** @throws an error that begins with the name of the case */
export async function checkCase({ library, frozen, name, age = 0 }: Check): Promise<void> {
  setClock(frozen.at)
  const given = frozen.cases[name]
  if (!given) throw new Error(`The release has no case "${name}".`)
  const found = caseOf(name)
  const site = laterSite(name)
  const { at, tables } = frozen
  const open = (seconds: number) =>
    replay(library, { tables, frozen: given, at: at + seconds * 1000, site })
  const { kept, session } = given
  try {
    if (found.kind === 'session') await checkSession(open, found, { site, age, session })
    else if (found.kind === 'step') await checkStep(open, found, kept)
    else await checkSpent(open, found, kept)
  } catch (cause) {
    throw new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
