/** What an application gets from `getAccessToken`, wherever the tokens are stored. */
import { afterEach, expect, test, vi } from 'vitest'
import { getAccessToken } from '../../../src/index.ts'
import type { AccessToken, AccessTokenOptions, Adapter, AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser, Issuer, IssuerOptions } from '../../../src/testing/index.ts'
import { configFor, oidc } from '../../config.ts'
import { forEachPlace, settingsFor } from './places.ts'
import type { Place } from './places.ts'

afterEach(() => vi.useRealTimers())

const MINUTE = 60

interface TokenSite {
  readonly op: Issuer
  readonly tab: Browser
  readonly config: AuthConfig
  readonly adapter: Adapter
  /** Reads the token with the cookies of the browser, and keeps those that are set. */
  readonly read: (options?: AccessTokenOptions) => Promise<AccessToken>
  /** Answers requests to the provider in its place; `undefined`: the provider answers again. */
  readonly answerWith: (answer: (() => Response) | undefined) => void
}

async function signedIn(place: Place, options: IssuerOptions = {}): Promise<TokenSite> {
  const op = await issuer({
    algorithm: 'ES256',
    refreshTokens: 'rotated',
    accessTokenLifetime: 10 * MINUTE,
    ...options,
  })
  const adapter = await place.openAdapter()
  let answer: (() => Response) | undefined
  const { config } = configFor(op, {
    providers: [oidc(op)],
    fetch: async (input, init) => answer?.() ?? op.fetch(input, init),
    ...settingsFor(place, adapter),
  })
  const tab = browser(config, { issuer: op })
  await tab.signIn('op')
  op.reset()
  const url = new URL('https://app.test/page')
  async function read(given?: AccessTokenOptions): Promise<AccessToken> {
    const cookie = tab.cookies.header({ url, method: 'GET', initiator: 'same-site' }) ?? ''
    const { value, headers } = await getAccessToken(
      new Request(url, { headers: { cookie, host: 'app.test' } }),
      config,
      'op',
      given,
    )
    for (const each of headers.getSetCookie()) tab.cookies.accept(each, url)
    return value
  }
  return { op, tab, config, adapter, read, answerWith: (given) => (answer = given) }
}

/** Moves the clock; timers and promises of the platform keep running. */
function pass(seconds: number): void {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + seconds * 1000 })
}

await forEachPlace((place) => {
  test('are returned without a request while they are valid', async () => {
    const { op, read } = await signedIn(place)
    const token = await read()
    expect(token).toMatchObject({ tokenType: 'Bearer', scope: ['openid', 'profile', 'email'] })
    expect(token.expiresAt?.getTime()).toBeGreaterThan(Date.now() + 9 * MINUTE * 1000)
    expect(await read()).toEqual(token)
    expect(op.requests.token).toBe(0)
  })

  test('are refreshed once for 50 parallel calls', async () => {
    const { op, read } = await signedIn(place)
    const before = await read()
    pass(10 * MINUTE)
    const tokens = await Promise.all(Array.from({ length: 50 }, () => read()))
    expect(op.requests.token).toBe(1)
    expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(1)
    expect(tokens[0]?.accessToken).not.toBe(before.accessToken)
    // The rotated refresh token was stored.
    pass(10 * MINUTE)
    await read()
    expect(op.requests.token).toBe(2)
  })

  test('are refreshed before they expire, or when an API has rejected them', async () => {
    const { op, read } = await signedIn(place)
    pass(9 * MINUTE + 1)
    await read()
    expect(op.requests.token).toBe(1)
    await read({ refresh: 'now' })
    expect(op.requests.token).toBe(2)
    await read({ minValidity: 11 * MINUTE })
    expect(op.requests.token).toBe(3)
  })

  test.each(['kept', 'rotated'] as const)(
    'that are valid for less than refreshBefore are refreshed at each call (%s)',
    async (refreshTokens) => {
      const { op, read } = await signedIn(place, { refreshTokens, accessTokenLifetime: 30 })
      for (let calls = 1; calls <= 3; calls++) {
        await read()
        expect(op.requests.token).toBe(calls)
      }
      // A call that begins after another one has stored its tokens refreshes these.
      const together = await Promise.all([read(), read(), read()])
      expect(op.requests.token).toBeLessThanOrEqual(6)
      for (const { accessToken } of together) expect(accessToken).toMatch(/^[\da-f-]{36}$/)
      // The provider would have revoked the grant if one of them had sent a token twice.
      expect((await read()).expiresAt?.getTime()).toBeGreaterThan(Date.now())
    },
  )

  test('without a refresh token are valid until they expire', async () => {
    const { op, read } = await signedIn(place, { refreshTokens: 'none' })
    pass(10 * MINUTE - 5)
    expect((await read()).accessToken).toBeTruthy()
    expect((await read({ minValidity: 60 * MINUTE })).accessToken).toBeTruthy()
    await expect(read({ refresh: 'now' })).rejects.toMatchObject({ code: 'reconnect' })
    pass(5)
    await expect(read()).rejects.toMatchObject({ code: 'reconnect' })
    expect(op.requests.token).toBe(0)
  })

  test('end with the refresh token', async () => {
    const { op, read } = await signedIn(place)
    op.misbehaviour.token = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
    pass(10 * MINUTE)
    if (place.where === 'cookie') {
      await expect(read()).rejects.toMatchObject({ type: 'AccessTokenUnavailable' })
      pass(MINUTE + 1)
    }
    await expect(read()).rejects.toMatchObject({ type: 'AccessTokenError', code: 'reconnect' })
    await expect(read()).rejects.toMatchObject({ type: 'AccessTokenError' })
    expect(op.requests.token).toBe(1)
  })

  test('are kept during an outage of the provider', async () => {
    const { read, answerWith } = await signedIn(place)
    const before = await read()
    answerWith(() => new Response('<h1>Down</h1>', { status: 503 }))
    pass(9 * MINUTE + 30)
    expect(await read()).toEqual(before)
    pass(MINUTE)
    await expect(read()).rejects.toMatchObject({ type: 'AccessTokenUnavailable', status: 503 })
    answerWith(undefined)
    pass(MINUTE)
    expect((await read()).accessToken).not.toBe(before.accessToken)
  })

  test('are missing for a signed-out visitor', async () => {
    const { tab, read } = await signedIn(place)
    await tab.post('signout')
    await expect(read()).rejects.toMatchObject({ code: 'not_signed_in' })
  })

  test('that lack a scope say which', async () => {
    const { read } = await signedIn(place)
    await expect(read({ scope: ['email', 'calendar'] })).rejects.toMatchObject({
      code: 'scope',
      missing: ['calendar'],
    })
  })

  test('without a refresh token require another sign-in', async () => {
    const { read } = await signedIn(place, { refreshTokens: 'none' })
    await read()
    pass(10 * MINUTE)
    await expect(read()).rejects.toMatchObject({ code: 'reconnect' })
  })
})
