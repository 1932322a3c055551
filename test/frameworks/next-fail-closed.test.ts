/** Fails closed in every context and after every error, and exposes no internals. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Lib, nextSite, thrownRedirect, SESSION, openSite } from './next/next-site.ts'
import type { NextSite, Visit } from './next/next-site.ts'
import { PLACES, exposesInternals, visitPlace } from './next/next-contexts.ts'
import type { Outcome, Place } from './next/next-contexts.ts'
import { op } from './site.ts'
import { silentLog } from '../config.ts'
import { down, hang, recordCalls } from '../database.ts'
import { pass, cookieFor, stopClock } from '../sessions.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { findErrorRow } from '../../src/core/errors/table.ts'
import type { LibConfig } from '../../src/frameworks/next/index.ts'

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

/** A site whose proxy requires a session, with Grace signed in. */
async function visitedSite(overrides: Partial<LibConfig> = {}): Promise<NextSite> {
  const site = nextSite({ callbacks: { authorized }, ...overrides })
  await site.signInGrace()
  return site
}

/** The same site and cookies, with another configuration. */
function changed(site: NextSite, overrides: Partial<LibConfig>): NextSite {
  const other = nextSite({ callbacks: { authorized }, ...silentLog(), ...overrides })
  for (const { name, value } of site.cookies.all()) other.cookies.set(name, value)
  return other
}

/** Expects a rejection without internals; returns the status of the response or the error. */
function statusOf({ isAuthenticated, text, error, status }: Outcome): number | undefined {
  expect(isAuthenticated).toBe(false)
  expect(exposesInternals(text)).toBe(false)
  return status ?? (error === undefined ? 200 : (findErrorRow(error)?.status ?? 500))
}

test('the test detects a stack trace', () => {
  expect(exposesInternals(String(new Error('Down.').stack))).toBe(true)
  expect(exposesInternals('The session cannot be read right now. Try again.')).toBe(false)
})

test('a session that is too large for cookies is logged once a minute', async () => {
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
  test('accepts only authenticated requests', async () => {
    const site = await visitedSite()
    expect(await visitPlace(site, place)).toMatchObject({ isAuthenticated: true })
    site.cookies.delete(SESSION)
    expect((await visitPlace(site, place)).isAuthenticated).toBe(false)
  })

  test.each<[string, Partial<LibConfig>, number]>([
    ['without a secret', { secret: undefined }, 500],
    ['on an untrusted host', { trustHost: undefined }, 400],
    ['with database sessions but no adapter', { session: { strategy: 'database' } }, 500],
  ])('of a site %s rejects every request', async (_what, overrides, status) => {
    const broken = changed(await visitedSite(), overrides)
    expect(statusOf(await visitPlace(broken, place))).toBe(status)
  })

  test('rejects every request when the configuration function throws', async () => {
    const site = openSite(Lib(() => Promise.reject(new Error('No tenant at /src/tenants.ts:1'))))
    site.cookies.set(SESSION, 'anything')
    expect(statusOf(await visitPlace(site, place))).toBe(500)
  })

  /** A site with Ada signed in, and a session database that can fail. */
  async function databaseSite() {
    const database = recordCalls(MemoryAdapter())
    const site = nextSite({
      adapter: database.adapter,
      session: { strategy: 'database' },
      callbacks: { authorized },
    })
    const url = await thrownRedirect(site.action(() => site.signIn('op')))
    await site.route(site.handlers.GET, (await op.authorize(url)).url)
    return { site, faults: database.faults }
  }

  test('rejects requests while the database is down, and accepts them afterwards', async () => {
    const { site, faults } = await databaseSite()
    faults.getSessionAndUser = down
    expect(statusOf(await visitPlace(site, place))).toBe(503)
    delete faults.getSessionAndUser
    expect(await visitPlace(site, place)).toMatchObject({ isAuthenticated: true })
  })

  test('rejects requests within a timeout while the database does not respond', async () => {
    const { site, faults } = await databaseSite()
    faults.getSessionAndUser = hang
    stopClock()
    const outcome = visitPlace(site, place)
    await pass(16)
    expect(statusOf(await outcome)).toBe(503)
  })

  test.each<[string, string]>([
    ['an empty value', ''],
    ['text that is not a token', 'grace'],
    ['a token with an unknown key', 'eyJhbGciOiJkaXIifQ..AAAA.AAAA.AAAA'],
    ['an unsigned token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJncmFjZSJ9.'],
    ['JSON', encodeURIComponent('{"user":{"name":"Grace Hopper"}}')],
    ['malformed percent-encoding', '%E0%A4%A'],
    ['the name of an Object.prototype property', '__proto__'],
    ['16,000 characters', 'A'.repeat(16_000)],
  ])('rejects a session cookie with %s', async (_what, value) => {
    const site = nextSite({ callbacks: { authorized } })
    const headers = { cookie: `${SESSION}=${value}; ${SESSION}.0=${value}` }
    expect([200, 307, 401]).toContain(statusOf(await visitPlace(site, place, { headers })))
  })

  test('rejects a token for another site or purpose', async () => {
    const site = nextSite({ callbacks: { authorized } })
    const foreign = await cookieFor(
      { sub: 'grace' },
      { secret: 'the secret of another site, long enough' },
    )
    const other = await cookieFor({ sub: 'grace' }, { salt: '__Host-lib.csrf-token' })
    for (const cookie of [foreign, other.replace('csrf-token', 'session-token')])
      expect(statusOf(await visitPlace(site, place, { headers: { cookie } }))).not.toBe(500)
  })

  test.each<[string, Visit]>([
    [
      'sends x-middleware-subrequest',
      { headers: { 'x-middleware-subrequest': 'proxy:'.repeat(5) } },
    ],
    [
      'sends x-middleware-next',
      { headers: { 'x-middleware-next': '1', 'x-middleware-rewrite': '/' } },
    ],
    [
      'sends x-middleware-set-cookie',
      { headers: { 'x-middleware-set-cookie': `${SESSION}=grace` } },
    ],
    ['sends x-auth-return-redirect', { headers: { 'x-auth-return-redirect': '1' } }],
    ['sends data headers', { headers: { 'x-nextjs-data': '1', purpose: 'prefetch', rsc: '1' } }],
    ['sends an invalid host', { headers: { host: 'app@evil.test' } }],
    ['comes from another site', { headers: { 'x-forwarded-host': 'evil.test', origin: 'null' } }],
  ])('rejects an unauthenticated user who %s', async (_what, visit) => {
    statusOf(await visitPlace(nextSite({ callbacks: { authorized } }), place, visit))
  })
})
