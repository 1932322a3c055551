/** Access tokens of a provider: with tokens in cookies, the wrapper has to set those of a refreshed token. */
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Adapter, AuthConfig } from '../../../src/index.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { issuer } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import { storeOf } from '../../core/tokens/record-store.ts'
import type { RawClient } from '../raw-client.ts'
import type { Exceptions } from './index.ts'
import { follow } from './site.ts'
import type { Open, OpenSite } from './site.ts'

/** Seconds for which a token is valid. */
const LIFETIME = 600

type Settings = Pick<AuthConfig, 'adapter' | 'store' | 'tokens'>

/** Places of tokens, by how a title names them. */
export type TokenModes = Readonly<Record<string, () => Settings | Promise<Settings>>>

/** The places of tokens that need a storage. */
export function storedModes(openAdapter: () => Promise<Adapter>, storage: string): TokenModes {
  return {
    [`in records${storage}`]: async () => ({
      store: storeOf(await openAdapter()),
      tokens: { where: 'store' },
    }),
    [`with the account${storage}`]: async () => ({
      adapter: await openAdapter(),
      tokens: { where: 'account' },
    }),
  }
}

const MODES: TokenModes = {
  'in cookies': () => ({ tokens: { where: 'cookie' } }),
  ...storedModes(async () => MemoryAdapter(), ''),
}

/** Moves the clock; only that of this process, in which provider and server are. */
function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}

const isTokenCookie = (cookie: string) => cookie.includes('lib.tokens.')

/** Access tokens of a provider. */
export function tokenRows(open: Open, exceptions: Exceptions, modes: TokenModes = MODES): void {
  afterEach(() => void vi.useRealTimers())

  describe.each(Object.entries(modes))('an access token stored %s', (mode, settings) => {
    const isCookie = mode === 'in cookies'
    let site: OpenSite
    let op: Awaited<ReturnType<typeof issuer>>
    beforeAll(async () => {
      // A refresh token that is sent twice ends the access.
      op = await issuer({ refreshTokens: 'rotated', accessTokenLifetime: LIFETIME })
      const overrides = { providers: [oidc(op)], fetch: op.fetch, ...(await settings()) }
      site = await open({ overrides })
    })

    afterEach(() => op.reset())

    async function signedIn() {
      const user = site.user()
      const form = { csrfToken: await user.csrfToken(), callbackUrl: '/page' }
      const begun = await user.send(`${user.basePath}/signin/op`, { form })
      await follow(user, (await op.authorize(begun.headers.location ?? '')).url)
      op.reset()
      return user
    }

    /** The response of a route that calls `getAccessToken`. */
    async function read(user: RawClient, request = {}, path = '/token') {
      const answer = await user.send(path, request)
      return { ...JSON.parse(answer.body), cookies: answer.setCookies.filter(isTokenCookie) }
    }

    test('that is valid is returned without a request to the provider', async () => {
      const user = await signedIn()
      const first = await read(user)
      expect(first).toMatchObject({ tokenType: 'Bearer', cookies: [] })
      expect((await read(user)).accessToken).toBe(first.accessToken)
      expect(op.requests.token).toBe(0)
    })

    test('that has expired is refreshed, and the new one is stored', async () => {
      const user = await signedIn()
      const tokens = [(await read(user)).accessToken]
      for (const count of [1, 2]) {
        pass(LIFETIME)
        const refreshed = await read(user)
        // Longer than the result of a refresh is kept in memory: the refresh token of a lost cookie would be sent again.
        pass(90)
        const { accessToken, cookies } = await read(user)
        expect([accessToken, cookies]).toEqual([refreshed.accessToken, []])
        expect(refreshed.cookies.length > 0).toBe(isCookie)
        expect(op.requests.token).toBe(count)
        tokens.push(accessToken)
      }
      expect(new Set(tokens).size).toBe(3)
    })

    test('that has expired is refreshed once for 50 requests', async () => {
      const user = await signedIn()
      pass(LIFETIME)
      const initiator = 'same-site'
      const url = new URL('/token', site.origin)
      const cookie = user.cookies.header({ url, method: 'GET', initiator }) ?? ''
      const tabs = Array.from({ length: 50 }, () => site.user())
      const answers = await Promise.all(tabs.map((tab) => read(tab, { headers: { cookie } })))
      expect(op.requests.token).toBe(1)
      expect(new Set(answers.map(({ accessToken }) => accessToken)).size).toBe(1)
      // Each of the browsers that sent the old token stores the new one.
      expect(answers.every(({ cookies }) => cookies.length > 0)).toBe(isCookie)
    })

    test('is not refreshed by a prefetch, or for the headers alone', async () => {
      const user = await signedIn()
      pass(LIFETIME)
      const prefetched = await read(user, { headers: { 'sec-purpose': 'prefetch' } })
      expect(prefetched).toMatchObject({ type: 'AccessTokenError', code: 'read_only' })
      if (!exceptions.hidesMethod) {
        const { setCookies } = await user.send('/token', { method: 'HEAD' })
        expect(setCookies.filter(isTokenCookie)).toEqual([])
      }
      expect(op.requests.token).toBe(0)
      expect(await read(user)).toMatchObject({ tokenType: 'Bearer' })
      expect(op.requests.token).toBe(1)
    })

    const isLost = isCookie && exceptions.dropsLateCookies
    test.skipIf(isLost)(
      'is refreshed after the response has begun if it can be stored',
      async () => {
        const user = await signedIn()
        pass(LIFETIME)
        const late = await read(user, {}, '/token?late')
        const expected = isCookie ? { code: 'read_only' } : { tokenType: 'Bearer' }
        expect(late).toMatchObject(expected)
        expect([late.cookies, op.requests.token]).toEqual([[], isCookie ? 0 : 1])
        expect(await read(user)).toMatchObject({ tokenType: 'Bearer' })
        expect(op.requests.token).toBe(1)
      },
    )

    test('does not exist for a visitor', async () => {
      expect(await read(site.user())).toEqual({
        type: 'AccessTokenError',
        code: 'not_signed_in',
        cookies: [],
      })
      expect((await site.user().send('/scopes', { form: {} })).headers.location).toBeUndefined()
    })

    test('that the provider no longer renews is an error for the application', async () => {
      const user = await signedIn()
      pass(LIFETIME)
      op.misbehaviour.token = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
      const lost = await read(user)
      // With cookies, another process may have refreshed it.
      expect(lost.type).toBe(isCookie ? 'AccessTokenUnavailable' : 'AccessTokenError')
      expect(lost.code).toBe(isCookie ? undefined : 'reconnect')
    })

    test.each(['redirects', 'returns the URL'])('gets more scopes; it %s', async (what) => {
      const user = await signedIn()
      const redirects = what === 'redirects'
      const asked = await user.send(redirects ? '/scopes' : '/scopes?stay', { form: {} })
      expect(asked.status).toBe(redirects ? 303 : 200)
      const url = redirects ? asked.headers.location : /https:[^"]+/.exec(asked.body)?.[0]
      const granted = await op.authorize(url ?? '')
      const back = await follow(user, granted.url)
      expect(new URL(back.headers.location ?? '', site.origin).pathname).toBe('/page')
      expect((await read(user)).scope).toContain('calendar')
    })
  })
}
