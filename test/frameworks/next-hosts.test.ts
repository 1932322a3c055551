/** Host headers and planted cookies: the session stays valid, and no redirect leads to another host. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { nextSite, ORIGIN, thrownRedirect } from './next/next-site.ts'
import type { NextSite } from './next/next-site.ts'
import { PLACES, visitPlace } from './next/next-contexts.ts'
import { login } from './site.ts'
import { findErrorRow } from '../../src/core/errors/table.ts'
import type { LibConfig } from '../../src/frameworks/next/index.ts'

const EVIL = 'evil.test'

beforeEach(() => {
  vi.stubEnv('NODE_ENV', 'production')
  for (const name of ['AUTH_URL', 'AUTH_TRUST_HOST', 'VERCEL', 'CF_PAGES']) vi.stubEnv(name, '')
})

afterEach(() => vi.unstubAllEnvs())

async function visitedSite(overrides: Partial<LibConfig> = {}): Promise<NextSite> {
  const authorized = ({ auth }: { auth: unknown }) => auth !== null
  const site = nextSite({ callbacks: { authorized }, ...overrides })
  await site.signInGrace()
  return site
}

/** The settings that determine the trusted host. */
const TRUST: Record<string, { config: Partial<LibConfig>; env: Record<string, string> }> = {
  AUTH_URL: { config: { trustHost: undefined }, env: { AUTH_URL: ORIGIN } },
  trustHost: { config: {}, env: {} },
  trustedHosts: { config: { trustHost: undefined, trustedHosts: ['app.test'] }, env: {} },
}

const HEADERS: Record<string, Record<string, string>> = {
  'an untrusted forwarded host': { 'x-forwarded-host': EVIL },
  'a list of untrusted forwarded hosts': { 'x-forwarded-host': `${EVIL}, also.${EVIL}` },
  'a list of forwarded hosts': { 'x-forwarded-host': `${EVIL}, app.test` },
  'a list of forwarded protocols': { 'x-forwarded-proto': 'https,http' },
  'an invalid protocol': { 'x-forwarded-proto': 'javascript' },
  'an invalid forwarded host': { 'x-forwarded-host': 'app@evil.test/?' },
  'a port of a proxy': { 'x-forwarded-port': '8080', 'x-forwarded-for': '203.0.113.1, 10.0.0.1' },
}

describe.each(PLACES)('%s', (place) => {
  describe.each(Object.entries(TRUST))('with %s', (_by, { config, env }) => {
    test.each(Object.entries(HEADERS))('returns the session, with %s', async (_what, headers) => {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
      const site = await visitedSite(config)
      const outcome = await visitPlace(site, place, { headers })
      expect(outcome).toMatchObject({ isAuthenticated: true })
      expect(outcome.text).not.toContain(EVIL)
      expect(site.set.join()).not.toContain(EVIL)
    })
  })

  test('with AUTH_URL returns the session, whatever protocol and host the headers contain', async () => {
    vi.stubEnv('AUTH_URL', ORIGIN)
    const site = await visitedSite({ trustHost: undefined })
    for (const headers of [
      { 'x-forwarded-proto': 'http' },
      { host: EVIL },
      { host: 'app@evil.test' },
    ])
      expect(await visitPlace(site, place, { headers })).toMatchObject({ isAuthenticated: true })
  })

  test.each([`app.test/${EVIL}?x=`, `app@${EVIL}`, 'app test'])(
    'rejects the invalid host %s',
    async (host) => {
      const { isAuthenticated, status, error } = await visitPlace(await visitedSite(), place, {
        headers: { host },
      })
      expect([isAuthenticated, status ?? findErrorRow(error)?.status]).toEqual([false, 400])
    },
  )

  test('returns the session despite a planted callbackUrl cookie', async () => {
    const site = await visitedSite()
    for (const name of ['__Host-lib.callback-url', 'lib.callback-url', '__Secure-lib.callback-url'])
      site.cookies.set(name, `https://${EVIL}/`)
    const outcome = await visitPlace(site, place)
    expect(outcome).toMatchObject({ isAuthenticated: true })
    expect(outcome.text).not.toContain(EVIL)
  })
})

describe('the target of redirects', () => {
  const away = { host: EVIL, 'x-forwarded-host': EVIL }

  test.each<[string, (site: NextSite) => Promise<unknown>]>([
    ['signing in', (site) => site.signIn('credentials', { ...login, redirectTo: '/home' })],
    ['signing out', (site) => site.signOut({ redirectTo: '/home' })],
    ['the sign-in page', (site) => site.signIn(undefined, { redirectTo: '/home' })],
  ])('by %s is on the origin of AUTH_URL', async (_what, work) => {
    vi.stubEnv('AUTH_URL', ORIGIN)
    const site = await visitedSite({ trustHost: undefined })
    const url = await thrownRedirect(site.action(() => work(site), { headers: away }))
    expect(new URL(url).origin).toBe(ORIGIN)
    expect(site.set.join()).not.toContain(EVIL)
  })

  test('by the proxy is on the origin of AUTH_URL', async () => {
    vi.stubEnv('AUTH_URL', ORIGIN)
    const site = nextSite({ trustHost: undefined, callbacks: { authorized: () => false } })
    const { response } = await site.proxy(site.auth, '/page', { headers: away })
    // Next leaves out the origin where it is its own.
    const url = new URL(response.headers.get('location') ?? '', ORIGIN)
    expect(url.origin).toBe(ORIGIN)
    expect(url.href).not.toContain(EVIL)
  })
})
