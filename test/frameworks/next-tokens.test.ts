/** Access tokens of a provider in Next.js: who may refresh, and who reads the new token. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { AuthConfig } from '../../src/index.ts'
import { issuer } from '../../src/testing/index.ts'
import { oidc } from '../config.ts'
import { NextRequest, nextSite, ORIGIN } from './next/next-site.ts'
import type { NextSite } from './next/next-site.ts'
import { forEachDatabase } from '../core/tokens/places.ts'
import type { OpenAdapter } from '../core/tokens/places.ts'

afterEach(() => void vi.useRealTimers())

/** Seconds for which a token is valid. */
const LIFETIME = 600

function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}

type Tokens = NonNullable<AuthConfig['tokens']>

/** A signed-in user whose access token has expired. */
async function openExpired(tokens: Tokens, adapter?: AuthConfig['adapter']) {
  const op = await issuer({ refreshTokens: 'rotated', accessTokenLifetime: LIFETIME })
  const site = nextSite({
    providers: [oidc(op)],
    fetch: op.fetch,
    tokens,
    ...(adapter && { adapter }),
  })
  const url = await site.action(() => site.signIn('op', { redirect: false, redirectTo: '/page' }))
  const back = new URL((await op.authorize(url)).url)
  await site.route(site.handlers.GET, back.pathname + back.search)
  op.reset()
  pass(LIFETIME)
  return { op, site }
}

/** The token, or the code of the error. */
async function read(site: NextSite, options: Parameters<NextSite['getAccessToken']>[1] = {}) {
  try {
    return (await site.getAccessToken('op', options)).accessToken
  } catch (error) {
    return Object(error).code
  }
}

const COOKIE = { where: 'cookie', refreshInProxy: ['op'] } as const

const component = (site: NextSite, headers?: Record<string, string>) =>
  site.render(() => read(site), headers && { headers })
const action = (site: NextSite) => site.action(() => read(site))
const route = async (site: NextSite) =>
  (await site.route(async () => new Response(await read(site)), '/api/token')).text()
const pages = async (site: NextSite) =>
  (await site.pages((call) => read(site, call), '/old')).result

describe('tokens in cookies', () => {
  test('the proxy refreshes; component, route handler and action of its request read the new token', async () => {
    const { op, site } = await openExpired(COOKIE)
    const { page } = await site.proxy(site.auth, '/page')
    const headers = { cookie: page?.get('cookie') ?? '' }
    const tokens = [
      await site.render(() => read(site), { headers }),
      await site.action(() => read(site), { headers }),
      await (
        await site.route(async () => new Response(await read(site)), '/page', { headers })
      ).text(),
      // The next request of the browser.
      await component(site),
    ]
    expect(new Set(tokens).size).toBe(1)
    expect(tokens[0]).toMatch(/^[\da-f-]{36}$/)
    expect(op.requests.token).toBe(1)
  })

  test('the proxy gives a second tab with the old cookie the new token without a request', async () => {
    const { op, site } = await openExpired(COOKIE)
    const old = site.cookies.header({
      url: new URL(ORIGIN),
      method: 'GET',
      initiator: 'same-site',
    })
    await site.proxy(site.auth, '/page')
    const first = await component(site)
    const { page, response } = await site.proxy(site.auth, '/page', {
      headers: { cookie: old ?? '' },
    })
    expect(await component(site, { cookie: page?.get('cookie') ?? '' })).toBe(first)
    expect(response.headers.getSetCookie().some((each) => each.includes('lib.tokens.'))).toBe(true)
    expect(op.requests.token).toBe(1)
  })

  test.each([
    ['HEAD', { method: 'HEAD' }],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch' } }],
  ])('the proxy does not refresh for %s', async (_what, visit) => {
    const { op, site } = await openExpired(COOKIE)
    const { response } = await site.proxy(site.auth, '/page', visit)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(op.requests.token).toBe(0)
  })

  test('a component sends no refresh token, whose successor it could not store', async () => {
    const { op, site } = await openExpired({ where: 'cookie' })
    expect(await component(site)).toBe('read_only')
    expect(op.requests.token).toBe(0)
    const token = await action(site)
    expect(await component(site)).toBe(token)
    expect(op.requests.token).toBe(1)
  })

  test.each([
    ['an action', action],
    ['a route handler', route],
    ['the Pages Router', pages],
  ])('%s refreshes, and every reader has the new token', async (_name, refresh) => {
    const { op, site } = await openExpired({ where: 'cookie' })
    const token = await refresh(site)
    expect(token).toMatch(/^[\da-f-]{36}$/)
    // Longer than the result is kept in memory.
    pass(90)
    for (const reader of [component, action, route, pages]) expect(await reader(site)).toBe(token)
    expect(op.requests.token).toBe(1)
  })

  test.each([
    ['HEAD', { method: 'HEAD' }],
    ['a prefetch of Next.js', { headers: { purpose: 'prefetch' } }],
  ])('the Pages Router does not refresh for %s', async (_what, visit) => {
    const { op, site } = await openExpired({ where: 'cookie' })
    const { result } = await site.pages((call) => read(site, call), '/old', visit)
    expect([result, op.requests.token]).toEqual(['read_only', 0])
  })

  test('a request of the Pages Router without its response is not refreshed', async () => {
    const { op, site } = await openExpired({ where: 'cookie' })
    const { result } = await site.pages(({ req }) => read(site, { req }), '/old')
    expect([result, op.requests.token]).toEqual(['read_only', 0])
  })

  test('a route handler with auth does not refresh for HEAD', async () => {
    const { op, site } = await openExpired({ where: 'cookie' })
    const handler = site.auth(async () => new Response(await read(site)))
    const call = (method: string) =>
      site.route((request, context) => handler(request, context), '/api/token', { method })
    expect(await (await call('HEAD')).text()).toBe('read_only')
    expect(op.requests.token).toBe(0)
    expect(await (await call('GET')).text()).toMatch(/^[\da-f-]{36}$/)
  })
})

function storedTokens(storage: string, openAdapter: OpenAdapter): void {
  describe.each(['account', 'store'] as const)(`tokens with the %s (${storage})`, (where) => {
    test.each([
      ['a component', component],
      ['an action', action],
      ['a route handler', route],
      ['the Pages Router', pages],
    ])('%s refreshes once, and the next request reads the stored token', async (_name, refresh) => {
      const { op, site } = await openExpired({ where }, await openAdapter())
      const token = await refresh(site)
      expect(token).toMatch(/^[\da-f-]{36}$/)
      pass(90)
      for (const reader of [component, action, route, pages]) expect(await reader(site)).toBe(token)
      expect(op.requests.token).toBe(1)
    })

    test('50 readers of all kinds refresh once', async () => {
      const { op, site } = await openExpired({ where }, await openAdapter())
      const readers = Array.from({ length: 12 }, () => [component, action, route, pages]).flat()
      const tokens = await Promise.all([component, ...readers, action].map((each) => each(site)))
      expect(new Set(tokens).size).toBe(1)
      expect(tokens[0]).toMatch(/^[\da-f-]{36}$/)
      expect(op.requests.token).toBe(1)
    })
  })
}

storedTokens('memory', async () => MemoryAdapter())
await forEachDatabase(storedTokens)

describe('below a basePath of Next.js', () => {
  const app = `${ORIGIN}/app`
  const nextConfig = { basePath: '/app' }

  beforeEach(() => {
    vi.stubEnv('__NEXT_ROUTER_BASEPATH', '/app')
    vi.stubEnv('AUTH_TRUST_HOST', 'true')
  })

  afterEach(() => vi.unstubAllEnvs())

  /** Follows the redirect of the provider; Next removes its basePath before the route handler. */
  async function comeBack(site: NextSite, url: string): Promise<string | null> {
    const back = new URL(url)
    expect(`${back.origin}${back.pathname}`).toBe(`${app}/api/auth/callback/op`)
    const path = `${back.pathname.replace('/app', '')}${back.search}`
    return (await site.route(site.handlers.GET, path)).headers.get('location')
  }

  async function openBelow() {
    const op = await issuer({ refreshTokens: 'rotated', accessTokenLifetime: LIFETIME })
    const site = nextSite({
      providers: [oidc(op)],
      fetch: op.fetch,
      tokens: COOKIE,
      trustHost: undefined,
      trustedHosts: undefined,
    })
    const options = { redirect: false, redirectTo: '/app/page' } as const
    const url = await site.action(() => site.signIn('op', options))
    expect(await comeBack(site, (await op.authorize(url)).url)).toBe(`${app}/page`)
    op.reset()
    return { op, site }
  }

  test('the proxy refreshes, and the browser sends the new token with each path', async () => {
    const { op, site } = await openBelow()
    expect(site.cookies.all().filter(({ name }) => name.includes('lib.tokens.'))).toHaveLength(1)
    const before = await component(site)
    pass(LIFETIME)
    const { page, response } = await site.proxy(site.auth, '/app/page', { nextConfig })
    const changed = response.headers.getSetCookie().filter((each) => each.includes('lib.tokens.'))
    expect(changed.length).toBeGreaterThan(0)
    for (const each of changed) expect(each).toContain('Path=/;')
    const token = await component(site, { cookie: page?.get('cookie') ?? '' })
    expect(token).not.toBe(before)
    pass(90)
    for (const reader of [component, action, route, pages]) expect(await reader(site)).toBe(token)
    expect(op.requests.token).toBe(1)
  })

  test.each([
    ['/app/page', `${app}/page`],
    [`${app}/page?tab=1`, `${app}/page?tab=1`],
  ])('a request for scopes returns to %s', async (redirectTo, expected) => {
    const { op, site } = await openBelow()
    const options = { redirect: false, redirectTo } as const
    const url = await site.action(() => site.requestScopes('op', ['calendar'], options))
    expect(await comeBack(site, (await op.authorize(url)).url)).toBe(expected)
    const { scope } = await site.action(() => site.getAccessToken('op'))
    expect(scope).toContain('calendar')
  })
})

test.each([
  ['an action', (site: NextSite, work: () => Promise<string>) => site.action(work)],
  [
    'a route handler',
    async (site: NextSite, work: () => Promise<string>) =>
      (await site.route(async () => new Response(await work()), '/api/scopes')).text(),
  ],
])('%s gets the URL of a request for scopes', async (_name, run) => {
  const { op, site } = await openExpired({ where: 'cookie' })
  const options = { redirect: false, redirectTo: '/page' } as const
  const url = await run(site, () => site.requestScopes('op', ['calendar'], options))
  const back = new URL((await op.authorize(url)).url)
  const request = new NextRequest(back)
  await site.route(site.handlers.GET, request.nextUrl.pathname + request.nextUrl.search)
  const { scope } = await site.action(() => site.getAccessToken('op'))
  expect(scope).toContain('calendar')
})
