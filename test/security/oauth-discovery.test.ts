import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Misbehaviour, Values } from '../../src/testing/index.ts'
import {
  expectRefused,
  expectSignedIn,
  advanceDate,
  logged,
  never,
  site,
  stopDate,
} from '../oauth.ts'
import { pass, stopClock, until } from '../sessions.ts'

const op = await issuer()

beforeEach(() => op.reset())
afterEach(() => vi.useRealTimers())

const HOUR = 3600

type Discovery = NonNullable<Misbehaviour['discovery']>

const down: readonly [string, Discovery][] = [
  ['responds with 503', () => new Response(null, { status: 503 })],
  ['cannot be reached', () => Promise.reject(new TypeError('failed'))],
  ['responds with HTML', () => new Response('<p>maintenance</p>')],
  ['responds with a list', () => Response.json([])],
  ['has no issuer', ({ issuer: _removed, ...metadata }) => metadata],
  ['has another issuer', (metadata) => ({ ...metadata, issuer: 'https://evil.example' })],
  ['responds with 300 KiB', (metadata) => ({ ...metadata, x: 'x'.repeat(300 * 1024) })],
]

async function begin({ tab }: ReturnType<typeof site>) {
  return tab.post('signin/op')
}

describe('discovery', () => {
  test('of one configuration is not rejected with the issuer of another', async () => {
    const fetch: typeof op.fetch = (input, init) => op.fetch(input, init)
    const wellKnown = `${op.url}/.well-known/openid-configuration`
    const wrong = site(op, {
      provider: { issuer: 'https://wrong.example', wellKnown },
      config: { fetch },
    })
    const right = site(op, { provider: { wellKnown }, config: { fetch } })
    const responses = await Promise.all([begin(wrong), begin(right)])
    expect(responses.map(({ status }) => status)).toEqual([500, 302])
    expect(right.log.errors).toEqual([])
    expect(op.requests.discovery).toBe(1)
  })

  test('happens once for many sign-ins within ten minutes', async () => {
    stopClock()
    const on = site(op)
    for (let count = 0; count < 5; count++) {
      await expectSignedIn(on, await on.tab.signIn('op'))
      await pass(115)
    }
    expect(op.requests).toEqual({ discovery: 1, jwks: 1, token: 5, userinfo: 0 })
    await pass(60)
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(op.requests).toMatchObject({ discovery: 2, jwks: 2 })
  })

  test('is not repeated for a second sign-in, which needs one request', async () => {
    const on = site(op)
    await on.tab.signIn('op')
    op.reset()
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(op.requests).toEqual({ discovery: 0, jwks: 0, token: 1, userinfo: 0 })
  })

  test('is one request for a hundred concurrent sign-ins', async () => {
    const on = site(op)
    const started = Array.from({ length: 100 }, async () => on.open().signIn('op'))
    const responses = await Promise.all(started)
    expect(responses.map((response) => response.headers.get('location'))).toEqual(
      responses.map(() => 'https://app.test'),
    )
    expect(op.requests).toEqual({ discovery: 1, jwks: 1, token: 100, userinfo: 0 })
  })

  test('is shared by configurations that are created for each request', async () => {
    const on = site(op)
    for (let count = 0; count < 3; count++) {
      const tab = browser(
        { ...on.config, providers: [...(on.config.providers ?? [])] },
        { issuer: op },
      )
      await expectSignedIn({ ...on, tab }, await tab.signIn('op'))
    }
    expect(op.requests).toMatchObject({ discovery: 1, jwks: 1 })
  })

  test.each(down)('that %s is not cached', async (_what, discovery) => {
    const on = site(op)
    op.misbehaviour.discovery = discovery
    const response = await begin(on)
    expect([302, 500]).toContain(response.status)
    expect(on.log.errors).toHaveLength(1)
    expect(logged(on.log, ['maintenance'])).toEqual([])
    delete op.misbehaviour.discovery
    on.log.errors.length = 0
    await expectSignedIn(on, await on.tab.signIn('op'))
  })

  test.each(down)('that %s is replaced by the cached copy for a day', async (_what, discovery) => {
    stopDate()
    const on = site(op)
    await on.tab.signIn('op')
    op.misbehaviour.discovery = discovery
    advanceDate(11 * 60)
    await expectSignedIn(on, await on.tab.signIn('op'))
    advanceDate(23 * HOUR)
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(op.requests.discovery).toBeGreaterThan(2)
    advanceDate(HOUR)
    const response = await begin(on)
    expect(response.headers.get('location') ?? '').not.toContain('https://issuer.test/')
    expect(on.log.errors).toHaveLength(1)
  })

  test('redirects to the sign-in page if it fails', async () => {
    const on = site(op)
    op.misbehaviour.discovery = () => new Response(null, { status: 503 })
    await expectRefused(on, await begin(on), { type: 'OAuthSignInError' })
  })

  test('times out after five seconds, and is not repeated while there is a cached copy', async () => {
    stopClock()
    const on = site(op)
    op.misbehaviour.discovery = never
    const cold = begin(on)
    await until(() => op.requests.discovery === 1)
    await vi.advanceTimersByTimeAsync(5000)
    await expectRefused(on, await cold, { type: 'OAuthSignInError' })
    delete op.misbehaviour.discovery
    on.log.errors.length = 0
    await expectSignedIn(on, await on.tab.signIn('op'))
    await pass(11 * 60)
    op.misbehaviour.discovery = never
    const warm = begin(on)
    await until(() => op.requests.discovery === 3)
    await vi.advanceTimersByTimeAsync(5000)
    expect((await warm).headers.get('location')).toContain('https://issuer.test/authorize')
    expect((await begin(on)).headers.get('location')).toContain('https://issuer.test/authorize')
    expect(op.requests.discovery).toBe(3)
  })

  test('reports the correct spelling of an issuer with a trailing slash', async () => {
    const on = site(op, { provider: { issuer: `${op.url}/` } })
    const response = await begin(on)
    expect(response.status).toBe(500)
    expect(on.log.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        '"https://issuer.test/" in the configuration and "https://issuer.test" in its metadata',
      ),
    ])
  })

  test('of an issuer with a path requests a URL below that path', async () => {
    const tenant = await issuer({ url: 'https://issuer.test/tenant' })
    const on = site(tenant)
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(on.sent[0]?.url.pathname).toBe('/tenant/.well-known/openid-configuration')
  })

  const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri']
  const URLS = [
    'http://issuer.test/x',
    'javascript:alert(1)',
    'data:application/json,{}',
    'file:///etc/passwd',
    'nothing',
    42,
    { url: 'https://issuer.test/x' },
  ]

  test.each(ENDPOINTS.flatMap((name) => URLS.map((url) => [name, url] as const)))(
    'with the %s %o is rejected',
    async (name, url) => {
      const on = site(op)
      op.misbehaviour.discovery = (metadata) => ({ ...metadata, [name]: url })
      const response = await begin(on)
      expect(response.status).toBe(500)
      expect(response.headers.get('location')).toBeNull()
      expect(on.log.errors.map((error) => Reflect.get(error, 'type'))).toEqual(['InvalidEndpoints'])
      expect(on.sent).toHaveLength(1)
    },
  )

  test.each([
    ['no userinfo endpoint', ({ userinfo_endpoint: _removed, ...rest }: Values) => rest],
    ['null for it', (metadata: Values) => ({ ...metadata, userinfo_endpoint: null })],
  ])('with %s is sufficient if the ID token contains the profile', async (_what, discovery) => {
    const on = site(op)
    op.misbehaviour.discovery = discovery
    await expectSignedIn(on, await on.tab.signIn('op'))
  })

  test('without a userinfo endpoint rejects a sign-in that needs one', async () => {
    const on = site(op, { provider: { idToken: false } })
    op.misbehaviour.discovery = ({ userinfo_endpoint: _removed, ...metadata }) => metadata
    const response = await on.tab.signIn('op')
    expect(response.status).toBe(500)
    expect(await on.tab.session()).toBeNull()
  })

  test('does not replace configured endpoints', async () => {
    const on = site(op, { provider: { authorization: 'https://login.issuer.test/start' } })
    const { url } = await on.tab.begin('op')
    expect(url.host).toBe('login.issuer.test')
    const response = await on.tab.request((await op.authorize(url)).url)
    await expectSignedIn(on, response)
  })

  test('does not follow redirects', async () => {
    const on = site(op)
    op.misbehaviour.discovery = () =>
      new Response(null, { status: 302, headers: { location: 'https://evil.example' } })
    await expectRefused(on, await begin(on), { type: 'OAuthSignInError' })
    expect(on.sent).toMatchObject([{ url: { host: 'issuer.test' }, redirect: 'manual' }])
  })
})
