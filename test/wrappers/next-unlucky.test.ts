/** Whatever goes wrong, in whatever place: nobody is let in by it, and no visitor learns how the application is made. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Lib, nextSite, redirectOf, SESSION, siteOf } from './next-site.ts'
import type { NextSite, Visit } from './next-site.ts'
import { PLACES, tellsTooMuch, visitPlace } from './next-contexts.ts'
import type { Outcome, Place } from './next-contexts.ts'
import { op } from './site.ts'
import { silentLog } from '../config.ts'
import { down, hang, watch } from '../database.ts'
import { pass, sealed, stopClock } from '../sessions.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { rowOf } from '../../src/errors/table.ts'
import type { LibConfig } from '../../src/next/index.ts'

const authorized = ({ auth }: { auth: unknown }): boolean => auth !== null

beforeEach(() => {
  vi.stubEnv('NODE_ENV', 'production')
  for (const name of ['AUTH_URL', 'AUTH_SECRET', 'AUTH_TRUST_HOST', 'VERCEL', 'CF_PAGES'])
    vi.stubEnv(name, '')
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

/** A site with a proxy that lets members in only, and Grace, who is one. */
async function visitedSite(overrides: Partial<LibConfig> = {}): Promise<NextSite> {
  const site = nextSite({ callbacks: { authorized }, ...overrides })
  await site.signInGrace()
  return site
}

/** The same site after something has happened to it. */
function changed(site: NextSite, overrides: Partial<LibConfig>): NextSite {
  const other = nextSite({ callbacks: { authorized }, ...silentLog(), ...overrides })
  for (const { name, value } of site.cookies.all()) other.cookies.set(name, value)
  return other
}

/** Nobody is in, and the visitor learns nothing. Returns the status, of the answer or by the error. */
function statusOf({ isIn, text, error, status }: Outcome): number | undefined {
  expect(isIn).toBe(false)
  expect(tellsTooMuch(text)).toBe(false)
  return status ?? (error === undefined ? 200 : (rowOf(error)?.status ?? 500))
}

test('a stack trace is seen where there is one', () => {
  expect(tellsTooMuch(String(new Error('Down.').stack))).toBe(true)
  expect(tellsTooMuch('The session cannot be read right now. Try again.')).toBe(false)
})

test('a session that has become too large for cookies is written down once a minute, not with each page', async () => {
  stopClock()
  const { log, ...quiet } = silentLog()
  let notes = ''
  const jwt = ({ token }: { token: object }) => ({ ...token, notes })
  const site = await visitedSite({ callbacks: { jwt }, session: { updateAge: 0 }, ...quiet })
  notes = 'n'.repeat(60_000)
  const errors = async () => {
    for (let page = 0; page < 3; page++)
      await expect(site.render(() => site.auth())).rejects.toMatchObject({
        type: 'SessionTooLarge',
      })
    return log.errors.length
  }
  expect(await errors()).toBe(1)
  await pass(61)
  expect(await errors()).toBe(2)
})

describe.each(PLACES)('%s', (place: Place) => {
  test('lets in who is signed in, and nobody else', async () => {
    const site = await visitedSite()
    expect(await visitPlace(site, place)).toMatchObject({ isIn: true })
    site.cookies.delete(SESSION)
    expect((await visitPlace(site, place)).isIn).toBe(false)
  })

  test.each<[string, Partial<LibConfig>, number]>([
    ['without a secret', { secret: undefined }, 500],
    ['on a host nothing says to trust', { trustHost: undefined }, 400],
    ['with a database that lacks what it needs', { session: { strategy: 'database' } }, 500],
  ])('of a site %s lets nobody in', async (_what, overrides, status) => {
    const broken = changed(await visitedSite(), overrides)
    expect(statusOf(await visitPlace(broken, place))).toBe(status)
  })

  test('of a site that cannot make its configuration lets nobody in', async () => {
    const site = siteOf(Lib(() => Promise.reject(new Error('No tenant at /src/tenants.ts:1'))))
    site.cookies.set(SESSION, 'anything')
    expect(statusOf(await visitPlace(site, place))).toBe(500)
  })

  /** Ada is signed in, with a session in a database that can fail. */
  async function databaseSite() {
    const database = watch(MemoryAdapter())
    const site = nextSite({
      adapter: database.adapter,
      session: { strategy: 'database' },
      callbacks: { authorized },
    })
    const url = await redirectOf(site.action(() => site.signIn('op')))
    await site.route(site.handlers.GET, (await op.authorize(url)).url)
    return { site, faults: database.faults }
  }

  test('lets nobody in while the database is down, and everybody afterwards', async () => {
    const { site, faults } = await databaseSite()
    faults.getSessionAndUser = down
    expect(statusOf(await visitPlace(site, place))).toBe(503)
    delete faults.getSessionAndUser
    expect(await visitPlace(site, place)).toMatchObject({ isIn: true })
  })

  test('lets nobody in while the database does not answer, and does not wait for ever', async () => {
    const { site, faults } = await databaseSite()
    faults.getSessionAndUser = hang
    stopClock()
    const outcome = visitPlace(site, place)
    await pass(16)
    expect(statusOf(await outcome)).toBe(503)
  })

  test.each<[string, string]>([
    ['nothing', ''],
    ['no token', 'grace'],
    ['a token of nobody', 'eyJhbGciOiJkaXIifQ..AAAA.AAAA.AAAA'],
    ['an unsigned token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJncmFjZSJ9.'],
    ['JSON', encodeURIComponent('{"user":{"name":"Grace Hopper"}}')],
    ['what cannot be decoded', '%E0%A4%A'],
    ['a name of every object', '__proto__'],
    ['too much', 'A'.repeat(16_000)],
  ])('lets nobody in by a session cookie with %s in it', async (_what, value) => {
    const site = nextSite({ callbacks: { authorized } })
    const headers = { cookie: `${SESSION}=${value}; ${SESSION}.0=${value}` }
    expect([200, 307, 401]).toContain(statusOf(await visitPlace(site, place, { headers })))
  })

  test('lets nobody in by a token for another site, or for something else', async () => {
    const site = nextSite({ callbacks: { authorized } })
    const foreign = await sealed(
      { sub: 'grace' },
      { secret: 'the secret of another site, long enough' },
    )
    const other = await sealed({ sub: 'grace' }, { salt: '__Host-lib.csrf-token' })
    for (const cookie of [foreign, other.replace('csrf-token', 'session-token')])
      expect(statusOf(await visitPlace(site, place, { headers: { cookie } }))).not.toBe(500)
  })

  // Covers: next.headers
  test.each<[string, Visit]>([
    ['says that it is inside', { headers: { 'x-middleware-subrequest': 'proxy:'.repeat(5) } }],
    [
      'says that it may go on',
      { headers: { 'x-middleware-next': '1', 'x-middleware-rewrite': '/' } },
    ],
    ['says who it is', { headers: { 'x-middleware-set-cookie': `${SESSION}=grace` } }],
    ['says where it wants the errors', { headers: { 'x-auth-return-redirect': '1' } }],
    ['says that it is data', { headers: { 'x-nextjs-data': '1', purpose: 'prefetch', rsc: '1' } }],
    ['names a site that is none', { headers: { host: 'app@evil.test' } }],
    ['comes from elsewhere', { headers: { 'x-forwarded-host': 'evil.test', origin: 'null' } }],
  ])('lets nobody in who %s', async (_what, visit) => {
    statusOf(await visitPlace(nextSite({ callbacks: { authorized } }), place, visit))
  })
})
