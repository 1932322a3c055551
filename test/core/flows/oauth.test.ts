import { decodeProtectedHeader, generateKeyPair, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type {
  ClientMetadata,
  OAuth2Config,
  OAuthConfig,
  OAuthProviderContext,
  OIDCConfig,
} from '../../../src/core/config/provider.ts'
import { resolveProvider } from '../../../src/core/flows/oauth/provider.ts'
import { customFetch, setEnvDefaults } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { postedUser } from '../../../src/core/symbols.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import type { IdTokenDraft, Misbehaviour } from '../../../src/testing/types.ts'
import type { Profile } from '../../../src/core/types.ts'
import { configFor, oidc } from '../../config.ts'
import {
  advanceDate,
  expectRefused,
  expectSignedIn,
  oauth,
  site,
  stopDate,
  transactionCookies,
} from '../../oauth.ts'
import type { Site, SiteOptions } from '../../oauth.ts'
import { arrive, deployment, locationOf, PREVIEW, PROXY, proxyFor } from '../../redirect-proxy.ts'
import { stopClock } from '../../sessions.ts'

const op = await issuer()

beforeEach(() => op.reset())

describe('an endpoint', () => {
  test('serializes lists with commas and objects as JSON', async () => {
    const params = {
      claims: { id_token: { acr: null } },
      list: ['a', 'b'],
      n: 1,
      on: true,
      no: null,
    }
    const authorization = { url: `${op.url}/authorize?kept=yes`, params }
    const { tab } = site(op, { provider: { type: 'oauth', authorization } })
    const { searchParams } = (await tab.begin('op')).url
    expect(Object.fromEntries(searchParams)).toMatchObject({
      kept: 'yes',
      claims: '{"id_token":{"acr":null}}',
      list: 'a,b',
      n: '1',
      on: 'true',
    })
    expect(searchParams.has('no')).toBe(false)
  })

  test.each(['oauth', 'oidc'] as const)('of an %s provider keeps its parameters', async (type) => {
    const extra = (name: string) => ({ url: `${op.url}/${name}?kept=yes`, params: { more: 1 } })
    const on = site(op, {
      provider: {
        type,
        token: extra('token'),
        userinfo: extra('userinfo'),
        ...(type === 'oidc' && { idToken: false }),
      },
    })
    await expectSignedIn(on, await on.tab.signIn('op'))
    const requestTo = (path: string) => on.sent.find(({ url }) => url.pathname === path)
    // RFC 6749 §4.1.3.
    expect(requestTo('/token')?.url.search).toBe('?kept=yes')
    expect(requestTo('/token')?.body.get('more')).toBe('1')
    expect(requestTo('/userinfo')?.url.search).toBe('?kept=yes&more=1')
  })

  test('that is a string in the provider accepts parameters of the application', async () => {
    const options = { authorization: { params: { prompt: 'login' } }, scope: undefined }
    const on = site(op, { config: { providers: [{ ...oauth(op), options }] } })
    const { url } = await on.tab.begin('op')
    expect(url.href).toMatch(/^https:\/\/issuer\.test\/authorize\?prompt=login&/)
  })

  test('of a provider can be replaced by the application', async () => {
    const provider = oauth(op, {
      token: 'https://old.test/token',
      authorization: { url: 'https://old.test' },
    })
    const options = { token: `${op.url}/token`, authorization: `${op.url}/authorize` }
    const on = site(op, { config: { providers: [{ ...provider, options }] } })
    await expectSignedIn(on, await on.tab.signIn('op'))
  })

  test('is requested with the fetch of the provider rather than that of the configuration', async () => {
    const never = () => Promise.reject(new Error('the wrong fetch'))
    const on = site(op, {
      config: { fetch: never, providers: [oauth(op, { [customFetch]: op.fetch })] },
    })
    await expectSignedIn(on, await on.tab.signIn('op'))
  })
})

describe('oauth', async () => {
  afterEach(() => vi.useRealTimers())

  describe('a plain OAuth provider', () => {
    test('signs the user in with two requests to the provider', async () => {
      const on = site(op, { provider: { type: 'oauth' } })
      await expectSignedIn(on, await on.tab.signIn('op'))
      expect(await on.tab.session()).toMatchObject({
        user: {
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          image: 'https://issuer.test/ada.png',
        },
      })
      expect(op.requests).toEqual({ discovery: 0, jwks: 0, token: 1, userinfo: 1 })
    })

    test('passes user, account and profile to the application', async () => {
      stopClock()
      const on = site(op, { provider: { type: 'oauth' } })
      await expectSignedIn(on, await on.tab.signIn('op'))
      expect(on.signedIn).toEqual([
        {
          user: {
            id: 'op|ada',
            name: 'Ada Lovelace',
            email: 'ada@example.com',
            image: 'https://issuer.test/ada.png',
          },
          account: {
            provider: 'op',
            type: 'oauth',
            providerAccountId: 'ada',
            access_token: expect.any(String),
            token_type: 'bearer',
            expires_in: 3600,
            expires_at: Math.floor(Date.now() / 1000) + 3600,
            scope: 'openid profile email',
            id_token: expect.any(String),
          },
          profile: expect.objectContaining({ sub: 'ada', email_verified: true }),
        },
      ])
    })

    test('redeems the code with the redirect URI and the verifier of the request', async () => {
      const on = site(op, { provider: { type: 'oauth' } })
      await expectSignedIn(on, await on.tab.signIn('op'))
      const [token] = on.sent
      expect(Object.fromEntries(token?.body ?? [])).toEqual({
        grant_type: 'authorization_code',
        code: expect.any(String),
        code_verifier: expect.stringMatching(/^[\w-]{43}$/),
        redirect_uri: 'https://app.test/auth/callback/op',
      })
      expect(token?.headers.get('accept')).toBe('application/json')
      expect(token?.headers.get('user-agent')).not.toBeNull()
    })

    test('lower-cases addresses and identifies the user by the profile function', async () => {
      const profile = (claims: Profile, tokens: { scope?: string }) => ({
        id: `${claims.sub}@${tokens.scope?.length}`,
        email: 'Ada@Example.COM',
        role: 'admin',
      })
      const on = site(op, { provider: { type: 'oauth', profile } })
      await expectSignedIn(on, await on.tab.signIn('op'))
      const [{ user, account } = {}] = on.signedIn
      expect(user).toEqual({ id: 'op|ada@20', email: 'ada@example.com', role: 'admin' })
      expect(account?.providerAccountId).toBe('ada@20')
    })

    test('can be discovered', async () => {
      const { authorization: _a, token: _t, userinfo: _u, ...provider } = oauth(op)
      const wellKnown = `${op.url}/.well-known/openid-configuration`
      for (const found of [{ issuer: op.url }, { wellKnown }]) {
        const on = site(op, { config: { providers: [{ ...provider, ...found }] } })
        await expectSignedIn(on, await on.tab.signIn('op'))
      }
      expect(op.requests).toEqual({ discovery: 2, jwks: 0, token: 2, userinfo: 2 })
    })

    test('can replace the userinfo request', async () => {
      const asked: OAuthProviderContext[] = []
      const userinfo = {
        request: async (context: { tokens: object; provider: OAuthProviderContext }) => {
          asked.push(context.provider)
          expect(context.tokens).toMatchObject({ token_type: 'bearer' })
          const { status } = await context.provider.fetch(`${op.url}/elsewhere`)
          return { sub: 'grace', status }
        },
      }
      const on = site(op, { provider: { type: 'oauth', issuer: op.url, userinfo } })
      await expectSignedIn(on, await on.tab.signIn('op'))
      expect(on.signedIn[0]).toMatchObject({ user: { id: 'op|grace' }, profile: { status: 404 } })
      expect(asked).toMatchObject([
        {
          id: 'op',
          type: 'oauth',
          clientId: 'client',
          clientSecret: op.clientSecret,
          signinUrl: 'https://app.test/auth/signin/op',
          callbackUrl: 'https://app.test/auth/callback/op',
          authorization: { url: new URL(`${op.url}/authorize`) },
          token: { url: new URL(`${op.url}/token`) },
        },
      ])
      expect(op.requests.userinfo).toBe(0)
    })

    test.each([
      ['nothing', () => undefined],
      ['an empty object', () => ({})],
      ['a failure', () => Promise.reject(new Error('no'))],
    ])('rejects the sign-in if the userinfo request returns %s', async (_what, request) => {
      const userinfo = { request: request as () => Promise<Profile> }
      const on = site(op, { provider: { type: 'oauth', userinfo } })
      await expectRefused(on, await on.tab.signIn('op'))
      expect(op.requests.userinfo).toBe(0)
    })

    test('can convert its token response with conform', async () => {
      const conform = async (response: Response) => {
        const { data }: { data: object } = await response.json()
        return Response.json({ ...data, token_type: 'bearer' })
      }
      op.misbehaviour.token = ({ token_type: _removed, ...data }) => ({ data })
      const on = site(op, {
        provider: { type: 'oauth', token: { url: `${op.url}/token`, conform } },
      })
      await expectSignedIn(on, await on.tab.signIn('op'))
      expect(op.requests.token).toBe(1)
    })

    test('can leave its token response unchanged in conform', async () => {
      const seen: unknown[] = []
      const conform = async (response: Response) => void seen.push(await response.json())
      const on = site(op, {
        provider: { type: 'oauth', token: { url: `${op.url}/token`, conform } },
      })
      await expectSignedIn(on, await on.tab.signIn('op'))
      expect(seen).toMatchObject([{ token_type: 'Bearer' }])
    })

    test('rejects the sign-in if conform throws', async () => {
      const conform = () => Promise.reject(new Error('no'))
      const on = site(op, {
        provider: { type: 'oauth', token: { url: `${op.url}/token`, conform } },
      })
      await expectRefused(on, await on.tab.signIn('op'))
    })
  })

  describe('the checks of a provider', () => {
    test.each<[OAuthConfig['type'], NonNullable<OAuthConfig['checks']>, string[]]>([
      ['oauth', ['none'], []],
      ['oauth', ['pkce'], ['code_challenge', 'code_challenge_method']],
      ['oauth', ['state'], ['state']],
      ['oidc', ['nonce'], ['nonce']],
      ['oidc', ['nonce', 'state'], ['nonce', 'state']],
      ['oidc', ['none'], []],
    ])('of type %s can be %j', async (type, checks, parameters) => {
      const on = site(op, { provider: { type, checks } })
      const transaction = await on.tab.begin('op', { callbackUrl: '/members' })
      const proofs = ['state', 'nonce', 'code_challenge', 'code_challenge_method']
      expect(proofs.filter((name) => transaction.url.searchParams.has(name)).sort()).toEqual(
        parameters.sort(),
      )
      await expectSignedIn(on, await transaction.complete(), 'https://app.test/members')
      expect(transactionCookies(on.tab)).toEqual([])
    })

    test.each<NonNullable<OAuthConfig['checks']>>([['pkce'], ['nonce']])(
      'that are %s alone bind the response to the browser',
      async (...checks) => {
        const on = site(op, { provider: { checks } })
        const { url } = await on.open().begin('op')
        const answer = await op.authorize(url)
        const response = await on.tab.request(answer.url, { initiator: 'cross-site' })
        await expectRefused(on, response, { type: 'InvalidCheck' })
        expect(op.requests.token).toBe(0)
      },
    )
  })

  test.each([
    ['the default members', undefined, { access_token: 'a', expires_at: 1, session_state: 's' }],
    ['the members that account() returns', () => ({ scope: 'x' }), { scope: 'x' }],
    ['nothing', () => undefined, undefined],
  ])('stores %s of a token response', (_what, account, stored) => {
    const { type: _type, ...rest } = oauth(op)
    const provider = resolveProvider(
      { ...rest, type: 'oauth', ...(account && { account }) },
      { fetch: op.fetch, http: 'none' },
    )
    const tokens = {
      access_token: 'a',
      expires_in: 2,
      expires_at: 1,
      session_state: 's',
      created_at: 3,
    }
    expect(provider.account(tokens)).toEqual(stored)
  })
})

describe('a provider of type `oauth` without `scope`: none is sent, and in development one warning is logged', async () => {
  afterEach(() => vi.unstubAllEnvs())

  /** The warnings about scopes of two sign-ins that are started. */
  async function warnings(
    mode: string,
    provider: NonNullable<SiteOptions['provider']>,
  ): Promise<unknown[][]> {
    vi.stubEnv('NODE_ENV', mode)
    const { tab, log } = site(op, { provider })
    await tab.begin('op')
    await tab.begin('op')
    return log.lines.filter(([, code]) => code === 'oauth-no-scope')
  }

  describe('in development, a provider of type oauth', () => {
    test('without scope causes one warning that states what to set', async () => {
      expect(await warnings('development', { type: 'oauth' })).toEqual([
        [
          'warn',
          'oauth-no-scope',
          'Provider op sends no scope. next-auth sends "openid profile email" for such a provider; to keep that, set authorization: { params: { scope: "openid profile email" } }.',
        ],
      ])
    })

    test('with a scope causes no warning', async () => {
      const authorization = { url: `${op.url}/authorize`, params: { scope: 'read' } }
      expect(await warnings('development', { type: 'oauth', authorization })).toEqual([])
    })
  })

  test('a provider of type oidc causes no warning, because it has a default scope', async () => {
    expect(await warnings('development', {})).toEqual([])
  })

  test.each(['production', 'staging'])('nothing is logged with NODE_ENV=%s', async (mode) => {
    const authorization = `${op.url}/authorize`
    expect(await warnings(mode, { type: 'oauth', authorization })).toEqual([])
  })
})

describe('oauth transactions', async () => {
  const other = await issuer({ url: 'https://other.test' })

  beforeEach(() => {
    op.reset()
    other.reset()
  })

  describe('two tabs', () => {
    test('sign in with the same provider independently', async () => {
      const { tab, log } = site(op)
      const first = await tab.begin('op', { callbackUrl: '/first' })
      const second = await tab.begin('op', { callbackUrl: '/second' })
      await expectSignedIn({ tab, log }, await first.complete(), 'https://app.test/first')
      await expectSignedIn({ tab, log }, await second.complete(), 'https://app.test/second')
      expect(transactionCookies(tab)).toEqual([])
    })

    test('sign in with two providers independently', async () => {
      const { config, log } = configFor(op, {
        providers: [oidc(op), oidc(other, { id: 'other' })],
        fetch: async (input, init) => {
          const { url } = new Request(input, init)
          return url.startsWith(other.url) ? other.fetch(input, init) : op.fetch(input, init)
        },
      })
      const tab = browser(config)
      const first = await tab.begin('op')
      const second = await tab.begin('other')
      const atOther = await other.authorize(second.url, { sub: 'grace', name: 'Grace Hopper' })
      await expectSignedIn({ tab, log }, await first.comeBack(await op.authorize(first.url)))
      await expectSignedIn({ tab, log }, await second.comeBack(atOther))
      expect(await tab.session()).toMatchObject({ user: { name: 'Grace Hopper' } })
    })
  })

  describe('a browser', () => {
    test('stores the five newest transactions at most', async () => {
      const { tab } = site(op)
      const begun = []
      for (let count = 0; count < 20; count++) begun.push(await tab.begin('op'))
      expect(transactionCookies(tab)).toHaveLength(5)
      const url = new URL('https://app.test/auth/session')
      const header = tab.cookies.header({ url, method: 'GET', initiator: 'same-site' })
      expect(header.length).toBeLessThan(4096)
      const evicted = await begun[14]?.complete()
      expect(evicted?.headers.get('location')).toBe(
        'https://app.test/auth/signin?error=InvalidCheck',
      )
      const oldest = await begun[15]?.complete()
      expect(oldest?.headers.get('location')).toBe('https://app.test')
    })

    test('deletes the oldest transactions after many started concurrently', async () => {
      const { tab } = site(op)
      await tab.csrfToken()
      await Promise.all(Array.from({ length: 20 }, async () => tab.begin('op')))
      const last = await tab.begin('op')
      expect(transactionCookies(tab)).toHaveLength(5)
      expect((await last.complete()).headers.get('location')).toBe('https://app.test')
    })
  })

  describe('a callback that was used', () => {
    async function signedIn(): Promise<{ on: Site; url: string; cookies: [string, string][] }> {
      const on = site(op)
      op.misbehaviour.overlooks = ['code_reuse']
      const transaction = await on.tab.begin('op', { callbackUrl: '/members' })
      const cookies = on.tab.cookies.all().map(({ name, value }): [string, string] => [name, value])
      const { url } = await op.authorize(transaction.url)
      await expectSignedIn(on, await transaction.comeBack({ url }), 'https://app.test/members')
      return { on, url, cookies }
    }

    test('redirects again if it is reloaded while signed in', async () => {
      const { on, url } = await signedIn()
      await on.tab.begin('op', { callbackUrl: '/elsewhere' })
      const response = await on.tab.request(url)
      expect(response.headers.get('location')).toBe('https://app.test/members')
      expect(on.log.errors).toEqual([])
      expect(op.requests.token).toBe(1)
    })

    test('does not redirect a user of another configuration to its return URL', async () => {
      const { url } = await signedIn()
      const tenant = site(op, { browser: { origin: 'https://other.test' } })
      await expectSignedIn(tenant, await tenant.tab.signIn('op'))
      const response = await tenant.tab.request(
        url.replace('https://app.test', 'https://other.test'),
      )
      expect(response.headers.get('location')).toBe('https://other.test')
    })

    test('is rejected with copied cookies, even if the provider accepts the code twice', async () => {
      const { on, url, cookies } = await signedIn()
      const thief: Browser = on.open()
      for (const [name, value] of cookies) thief.cookies.set(name, value)
      const response = await thief.request(url)
      expect(op.requests.token).toBe(1)
      await expectRefused({ ...on, tab: thief }, response, { type: 'InvalidCheck' })
    })

    test('succeeds for one of two concurrent requests', async () => {
      const on = site(op)
      op.misbehaviour.overlooks = ['code_reuse']
      const transaction = await on.tab.begin('op')
      const answer = await op.authorize(transaction.url)
      await Promise.all([transaction.comeBack(answer), transaction.comeBack(answer)])
      expect(op.requests.token).toBe(1)
      expect(on.signedIn).toHaveLength(1)
    })
  })
})

describe('oauth form post', async () => {
  afterEach(() => vi.useRealTimers())

  const authorization = { params: { response_mode: 'form_post' } }

  const formSite = (options: SiteOptions = {}) =>
    site(op, { provider: { authorization }, ...options })

  /** Posts the form, as the page of the provider does. */
  async function posted(on: ReturnType<typeof site>, change = (_form: URLSearchParams) => {}) {
    const transaction = await on.tab.begin('op', { callbackUrl: '/members' })
    const { form = new URLSearchParams() } = await op.authorize(transaction.url)
    on.secrets.add(form.get('code') ?? '')
    change(form)
    const request = { method: 'POST', form, initiator: 'cross-site' } as const
    return on.tab.request('callback/op', request)
  }

  async function afterwards(on: ReturnType<typeof site>, response: Response): Promise<Response> {
    const url = response.headers.get('location') ?? ''
    return on.tab.request(url, { initiator: 'cross-site' })
  }

  describe('an authorization response with form_post', () => {
    test('signs the user in', async () => {
      const on = formSite()
      await expectSignedIn(on, await on.tab.signIn('op'))
      expect(transactionCookies(on.tab)).toEqual([])
    })

    test('can be requested in the URL of the endpoint', async () => {
      const url = `${op.url}/authorize?response_mode=form_post`
      const on = formSite({ provider: { authorization: url } })
      await expectSignedIn(on, await on.tab.signIn('op'))
    })

    test('needs one SameSite=None cookie and leaves the others unchanged', async () => {
      const on = formSite()
      await on.tab.begin('op')
      const kinds = on.tab.cookies.all().map(({ name, sameSite, secure, httpOnly }) => ({
        name: name.replace(/[0-9a-f]{8}$/, ''),
        sameSite,
        secure,
        httpOnly,
      }))
      const rest = { secure: true, httpOnly: true }
      expect(kinds).toHaveLength(2)
      expect(kinds).toContainEqual({ name: '__Host-lib.state.', sameSite: 'none', ...rest })
      expect(kinds).toContainEqual({ name: '__Host-lib.csrf-token', sameSite: 'lax', ...rest })
    })

    test('is redirected to this site without readable parameters', async () => {
      const on = formSite()
      const response = await posted(on)
      expect(response.status).toBe(303)
      const location = response.headers.get('location') ?? ''
      expect(location).toMatch(/^https:\/\/app\.test\/auth\/callback\/op\?form=[\w.-]+$/)
      expect([...on.secrets].filter((secret) => location.includes(secret))).toEqual([])
      expect(response.headers.getSetCookie()).toEqual([])
      expect(response.headers.get('cache-control')).toBe('private, no-store')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
      expect(on.sent.filter(({ url }) => url.pathname === '/token')).toEqual([])
      await expectSignedIn(on, await afterwards(on, response), 'https://app.test/members')
    })

    test('can contain an ID token, which is ignored', async () => {
      const on = formSite()
      const response = await posted(on, (form) => form.set('id_token', 'x'.repeat(8000)))
      await expectSignedIn(on, await afterwards(on, response), 'https://app.test/members')
    })

    test('redirects to the sign-in page if it is an error', async () => {
      const on = formSite()
      const response = await posted(on, (form) => {
        form.delete('code')
        form.set('error', 'access_denied')
      })
      await expectRefused(on, await afterwards(on, response))
    })

    test.each([
      ['access_token', 'x'],
      ['response', 'x'],
      ['iss', 'https://evil.example'],
    ])('is rejected with a %s of %s', async (name, value) => {
      const on = formSite()
      const response = await posted(on, (form) => form.set(name, value))
      await expectRefused(on, await afterwards(on, response))
      expect(op.requests.token).toBe(0)
    })

    test('is rejected with a code that is too long', async () => {
      const on = formSite()
      const response = await posted(on, (form) => form.set('code', 'x'.repeat(4097)))
      expect(response.status).toBe(400)
      expect(op.requests.token).toBe(0)
    })

    test('expires after one minute', async () => {
      stopDate()
      const on = formSite()
      const response = await posted(on)
      advanceDate(60 + 16)
      await expect(afterwards(on, response)).resolves.toMatchObject({ status: 302 })
      expect(await on.tab.session()).toBeNull()
      expect(op.requests.token).toBe(0)
    })

    test('redirects again if it is reloaded later', async () => {
      stopDate()
      const on = formSite()
      const response = await posted(on)
      await expectSignedIn(on, await afterwards(on, response), 'https://app.test/members')
      for (const seconds of [1, 3600]) {
        advanceDate(seconds)
        const again = await afterwards(on, response)
        expect(again.headers.get('location')).toBe('https://app.test/members')
      }
      expect(on.log.errors).toEqual([])
      expect(op.requests.token).toBe(1)
    })

    test('is rejected if another site forged it', async () => {
      const on = formSite()
      const { url } = await on.open().begin('op')
      const { form = new URLSearchParams() } = await op.authorize(url)
      const request = { method: 'POST', form, initiator: 'cross-site' } as const
      const response = await afterwards(on, await on.tab.request('callback/op', request))
      await expectRefused(on, response, { type: 'InvalidCheck' })
      expect(op.requests.token).toBe(0)
    })

    test('works on localhost without https, and leaves no cookie', async () => {
      const on = formSite({ browser: { origin: 'http://localhost:3000' } })
      const { tab } = on
      const transaction = await tab.begin('op')
      expect(tab.cookies.all().find(({ name }) => name.includes('lib.state.'))).toMatchObject({
        sameSite: 'none',
        secure: true,
      })
      await expectSignedIn(on, await transaction.complete())
      expect(transactionCookies(tab)).toEqual([])
    })
  })
})

describe('the log message of a failed sign-in at a provider: the cause, and what to change', async () => {
  afterEach(() => void vi.restoreAllMocks())

  /** The one message in the log after a sign-in. */
  async function messageOf(misbehaviour: Misbehaviour, provider: Partial<OAuthConfig> = {}) {
    Object.assign(op.misbehaviour, misbehaviour)
    const on = site(op, { provider })
    const response = await on.tab.signIn('op')
    expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
    expect(on.log.errors).toHaveLength(1)
    return on.log.errors[0]?.message ?? ''
  }

  const refuse = (body: object, status: number) => ({
    token: () => Response.json(body, { status }),
  })

  const now = () => Math.floor(Date.now() / 1000)

  describe('rejected client credentials', () => {
    const first =
      'The provider rejected the client credentials (invalid_client). Check AUTH_MY_OP_SECRET.'

    test.each([oidc, oauth])(
      'name the variable of the provider in the first line (%o)',
      async (make) => {
        const console = vi.spyOn(globalThis.console, 'warn').mockImplementation(() => undefined)
        const provider = make(op, { id: 'my-op', clientSecret: 'wrong' })
        const { config } = configFor(op, { providers: [provider], logger: undefined })
        await browser(config, { issuer: op }).signIn('my-op')
        const text = console.mock.calls.flat().join('\n')
        expect(text.split('\n')[0]).toContain(first)
        expect(text.split('rejected the client credentials')).toHaveLength(2)
        expect(text).not.toContain('wrong')
      },
    )

    test.each([
      [{ error: 'unauthorized_client' }, 401, 'unauthorized_client'],
      [{ error: 'incorrect_client_credentials' }, 200, 'incorrect_client_credentials'],
      [{}, 401, 'status 401'],
    ])('are recognised in %j with status %i', async (body, status, code) => {
      const expected = `The provider rejected the client credentials (${code}). Check AUTH_OP_SECRET.`
      expect(await messageOf(refuse(body, status))).toContain(expected)
    })

    test('are recognised if the response is not JSON', async () => {
      const token = () => new Response('<h1>Unauthorized</h1>', { status: 401 })
      expect(await messageOf({ token })).toContain('(status 401). Check AUTH_OP_SECRET.')
    })

    test('report client id and authentication method of a client without a secret', async () => {
      const options = { client: { token_endpoint_auth_method: 'none' }, clientSecret: undefined }
      const message = await messageOf(refuse({ error: 'invalid_client' }, 401), options)
      expect(message).toContain('Check AUTH_OP_ID and client.token_endpoint_auth_method')
    })

    test('are not reported for other errors', async () => {
      const message = await messageOf(refuse({ error: 'invalid_grant' }, 400))
      expect(message).not.toContain('credentials')
    })
  })

  describe('the description of an error of the token endpoint', () => {
    const refusal = (error_description: unknown) =>
      refuse({ error: 'invalid_grant', error_description }, 400)

    test.each([
      ['The code has expired.', 'The code has expired.'],
      ['No ada@example.com in tenant 7', 'No [redacted] in tenant 7'],
      ['', undefined],
      [42, undefined],
      [{ hint: 'none' }, undefined],
    ])('%j is logged as %j', async (sent, providerErrorDescription) => {
      Object.assign(op.misbehaviour, refusal(sent))
      const on = site(op)
      await on.tab.signIn('op')
      expect(on.log.errors).toMatchObject([
        { cause: { providerError: 'invalid_grant', providerErrorDescription } },
      ])
    })

    test('is logged without the secrets of the request', async () => {
      const on = site(op)
      const transaction = await on.tab.begin('op')
      const answer = await op.authorize(transaction.url)
      const code = new URL(answer.url).searchParams.get('code')
      Object.assign(op.misbehaviour, refusal(`Code ${code}, secret ${op.clientSecret}`))
      await transaction.comeBack(answer)
      expect(on.log.errors).toMatchObject([
        { cause: { providerErrorDescription: 'Code [redacted], secret [redacted]' } },
      ])
    })

    test('is logged without the Authorization header', async () => {
      const client = { token_endpoint_auth_method: 'client_secret_basic' }
      const on = site(op, { provider: { client } })
      const inForm = (text: string) =>
        new URLSearchParams({ text }).toString().slice('text='.length)
      const basic = btoa(`${inForm(op.clientId)}:${inForm(op.clientSecret)}`)
      Object.assign(op.misbehaviour, refusal(`Not accepted: Basic ${basic}`))
      await on.tab.signIn('op')
      expect(on.log.errors).toMatchObject([
        { cause: { providerErrorDescription: 'Not accepted: Basic [redacted]' } },
      ])
    })

    test('is readable in an error of token.conform', async () => {
      Object.assign(op.misbehaviour, refusal('The code has expired.'))
      const conform = async (response: Response) => {
        const { error_description } = await response.json()
        throw new Error(`The vendor responded: ${error_description}`)
      }
      const on = site(op, {
        provider: { ...oauth(op), token: { url: `${op.url}/token`, conform } },
      })
      await on.tab.signIn('op')
      expect(on.log.errors).toMatchObject([
        { cause: { err: { message: 'The vendor responded: The code has expired.' } } },
      ])
    })
  })

  describe('a redirect URI that is not registered', () => {
    const register = 'Register https://app.test/auth/callback/op as redirect URI at the provider.'

    test.each([
      [{ error: 'redirect_uri_mismatch' }, '(redirect_uri_mismatch)'],
      [
        { error: 'invalid_grant', error_description: 'redirect_uri does not match' },
        '(invalid_grant)',
      ],
      [{ error: 'invalid_request', error_description: 'Bad redirect URL' }, '(invalid_request)'],
    ])('is reported if the token endpoint returns %j', async (body, code) => {
      const message = await messageOf(refuse(body, 400))
      expect(message).toContain(`The provider rejected the redirect URI ${code}. ${register}`)
    })

    test('is reported if the authorization endpoint rejects it', async () => {
      const message = await messageOf({
        authorization: (parameters) => {
          parameters.delete('code')
          parameters.set('error', 'redirect_uri_mismatch')
          return parameters
        },
      })
      expect(message).toContain(
        `The provider rejected the redirect URI (redirect_uri_mismatch). ${register}`,
      )
    })

    test('is that of the redirect proxy, if there is one', async () => {
      Object.assign(op.misbehaviour, refuse({ error: 'redirect_uri_mismatch' }, 400))
      const preview = deployment(op, PREVIEW)
      const { url } = await op.authorize((await preview.tab.begin('op')).url)
      const sentOn = await arrive(proxyFor(op, [PREVIEW]), url)
      await arrive(preview, sentOn.headers.get('location'))
      expect(preview.log.errors[0]?.message).toContain(`Register ${PROXY}/auth/callback/op `)
    })
  })

  describe('clock skew', () => {
    const issued = (seconds: number, lifetime = 300) => ({
      idToken: ({ header, claims }: IdTokenDraft): IdTokenDraft => ({
        header,
        claims: { ...claims, iat: now() + seconds, exp: now() + seconds + lifetime },
      }),
    })

    test.each([
      ['behind', 400, 300],
      ['ahead', -400, 300],
      ['ahead', -4000, 86_400],
    ])(
      'of a machine that is %s is reported in seconds (%i s)',
      async (direction, seconds, lifetime) => {
        const message = await messageOf(issued(seconds, lifetime))
        const size = Number(/ (\d+) seconds /.exec(message)?.[1])
        expect(message).toContain('clock')
        expect(message).toContain(`seconds ${direction}`)
        expect(Math.abs(size - Math.abs(seconds))).toBeLessThan(5)
      },
    )

    test('is not reported for a missing re-authentication', async () => {
      const message = await messageOf(
        { idToken: ({ header, claims }) => ({ header, claims: { ...claims, auth_time: 1 } }) },
        { authorization: { params: { max_age: 60 } } },
      )
      expect(message).not.toContain('clock')
    })
  })

  describe('a provider without a client secret', () => {
    async function problemOf(config: AuthConfig) {
      const response = await browser(config).request('session')
      return response.status
    }

    test.each([undefined, 'client_secret_basic', 'client_secret_post', 'client_secret_jwt'])(
      'is a configuration error at the first request (%s)',
      async (token_endpoint_auth_method) => {
        const client = { ...(token_endpoint_auth_method && { token_endpoint_auth_method }) }
        const { config, log } = configFor(op, {
          providers: [
            oidc(op, { id: 'my-op', client, clientId: undefined, clientSecret: undefined }),
          ],
        })
        setEnvDefaults({ AUTH_MY_OP_ID: 'id' }, config)
        expect(await problemOf(config)).toBe(500)
        expect(log.errors).toMatchObject([{ type: 'InvalidConfiguration' }])
        expect(log.errors[0]?.message).toContain('providers[0] (my-op): clientSecret is missing')
        expect(log.errors[0]?.message).toContain('AUTH_MY_OP_SECRET')
      },
    )

    test('is a configuration error without the key of private_key_jwt', async () => {
      const client = { token_endpoint_auth_method: 'private_key_jwt' }
      const { config, log } = configFor(op, { providers: [oidc(op, { client })] })
      expect(await problemOf(config)).toBe(500)
      expect(log.errors[0]?.message).toContain('token.clientPrivateKey')
    })

    test.each(['none', 'tls_client_auth'])('signs in with %s', async (method) => {
      const client = { token_endpoint_auth_method: method }
      const { config } = configFor(op, {
        providers: [oidc(op, { client, clientSecret: undefined })],
      })
      expect(await problemOf(config)).toBe(200)
    })

    test('and without a client id does not affect other providers', async () => {
      const unused = oidc(op, { id: 'unused', clientId: undefined, clientSecret: undefined })
      const { config } = configFor(op, { providers: [unused] })
      expect(await problemOf(config)).toBe(200)
    })
  })
})

describe('oauth client auth', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')

  const TYPES = ['oauth', 'oidc'] as const

  function siteWith(
    type: OAuthConfig['type'],
    method: string,
    overrides: Partial<OAuthConfig> & { client?: ClientMetadata } = {},
  ): Site {
    const client = { token_endpoint_auth_method: method, ...overrides.client }
    const both = { issuer: op.url, ...overrides, client }
    return site(op, { provider: { ...both, type } as Partial<OAuthConfig> })
  }

  const tokenRequest = ({ sent }: Site) => sent.find(({ url }) => url.pathname === '/token')

  /** Client id and secret of a Basic header, decoded as RFC 6749 §2.3.1 specifies. */
  function basicCredentials(on: Site): string[] {
    const header = tokenRequest(on)?.headers.get('authorization')?.replace('Basic ', '') ?? ''
    return atob(header)
      .split(':')
      .map((part) => new URLSearchParams(`x=${part}`).get('x') ?? '')
  }

  describe.each(TYPES)('a client of an %s provider', (type) => {
    test('authenticates with a Basic header by default', async () => {
      const on = site(op, { provider: { type } })
      await expectSignedIn(on, await on.tab.signIn('op'))
      expect(basicCredentials(on)).toEqual(['client', op.clientSecret])
      expect(tokenRequest(on)?.body.has('client_secret')).toBe(false)
      expect(tokenRequest(on)?.body.has('client_id')).toBe(false)
    })

    test('authenticates in the body with client_secret_post', async () => {
      const on = siteWith(type, 'client_secret_post')
      await expectSignedIn(on, await on.tab.signIn('op'))
      expect(tokenRequest(on)?.headers.has('authorization')).toBe(false)
      expect(tokenRequest(on)?.body.get('client_id')).toBe('client')
      expect(tokenRequest(on)?.body.get('client_secret')).toBe(op.clientSecret)
    })

    test.each(['none', 'tls_client_auth'])('sends only its client id with %s', async (method) => {
      op.misbehaviour.overlooks = ['client_authentication']
      const on = siteWith(type, method)
      await expectSignedIn(on, await on.tab.signIn('op'))
      expect(tokenRequest(on)?.headers.has('authorization')).toBe(false)
      expect(tokenRequest(on)?.body.get('client_id')).toBe('client')
      expect(tokenRequest(on)?.body.has('client_secret')).toBe(false)
      expect(tokenRequest(on)?.body.has('client_assertion')).toBe(false)
    })

    test.each([
      ['private_key_jwt', publicKey, 'ES256'],
      ['client_secret_jwt', new TextEncoder().encode(op.clientSecret), 'HS256'],
    ])('signs an assertion for this provider with %s', async (method, key, algorithm) => {
      op.misbehaviour.overlooks = ['client_authentication']
      const token = { url: `${op.url}/token`, clientPrivateKey: { key: privateKey, kid: 'mine' } }
      const on = siteWith(type, method, { token })
      const ids = new Set<unknown>()
      for (let count = 0; count < 2; count++) {
        on.sent.length = 0
        await expectSignedIn(on, await on.tab.signIn('op'))
        const { body, headers } = tokenRequest(on) ?? {}
        expect(headers?.has('authorization')).toBe(false)
        expect(body?.has('client_secret')).toBe(false)
        expect(body?.get('client_assertion_type')).toBe(
          'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        )
        const assertion = body?.get('client_assertion') ?? ''
        const { payload } = await jwtVerify(assertion, key, {
          issuer: 'client',
          subject: 'client',
          algorithms: [algorithm],
        })
        const { alg, typ, kid } = decodeProtectedHeader(assertion)
        expect({ alg, typ }).toEqual({ alg: algorithm, typ: 'client-authentication+jwt' })
        expect(kid).toBe(method === 'private_key_jwt' ? 'mine' : undefined)
        expect(payload.aud).toBe('https://issuer.test')
        expect((payload.exp ?? Infinity) - (payload.iat ?? 0)).toBeLessThanOrEqual(60)
        expect(payload.jti).toMatch(/.{16}/)
        ids.add(payload.jti)
      }
      expect(ids.size).toBe(2)
    })

    test.each([
      ['client_secret_basic', { clientSecret: undefined }, 'clientSecret'],
      ['client_secret_post', { clientSecret: '' }, 'clientSecret'],
      ['client_secret_jwt', { clientSecret: undefined }, 'clientSecret'],
      ['private_key_jwt', {}, 'token.clientPrivateKey'],
    ])('without the credentials of %s is a configuration error', async (method, no, missing) => {
      const on = siteWith(type, method, no)
      expect((await on.tab.request('signin')).status).toBe(500)
      expect(on.log.errors.map(({ message }) => message)).toEqual([
        expect.stringContaining(missing),
      ])
      expect(on.sent).toEqual([])
    })

    test.each([
      ['constructor', 'token_endpoint_auth_method (got "constructor")'],
      ['my_own', 'token_endpoint_auth_method (got "my_own")'],
    ])('reports the unknown method %s', async (method, missing) => {
      const on = siteWith(type, method)
      const response = await on.tab.signIn('op')
      expect(response.status).toBe(500)
      expect(on.log.errors.map(({ message }) => message)).toEqual([
        expect.stringContaining(missing),
      ])
      expect(op.requests.token).toBe(0)
      expect(await on.tab.session()).toBeNull()
    })

    test('is rejected with a wrong secret', async () => {
      const on = site(op, { provider: { type, clientSecret: 'a wrong secret' } })
      on.secrets.add('a wrong secret')
      await expectRefused(on, await on.tab.signIn('op'))
      expect(on.log.errors[0]).toMatchObject({ cause: { providerError: 'invalid_client' } })
    })
  })

  describe('a Basic header', () => {
    test.each([
      ['a colon', 'a:b', 'c:d'],
      ['percent signs', '100%', '%41%'],
      ['spaces and plus signs', 'a b+c', ' d+ e'],
      ['other alphabets', 'ключ', 'ö–🔑'],
      ['the characters of a query', 'a&b=c', '?#/&=;,'],
      ['quotes and the like', `a"b'c`, '~!*()\\'],
    ])('encodes %s', async (_what, clientId, clientSecret) => {
      const strange = await issuer({ clientId, clientSecret })
      const on = site(strange)
      await expectSignedIn(on, await on.tab.signIn('op'))
      expect(basicCredentials(on)).toEqual([clientId, clientSecret])
    })

    test('leaves unreserved characters unencoded, for providers that do not decode', async () => {
      const plain = await issuer({ clientSecret: 'GOCSPX-a_b.c-1' })
      const on = site(plain)
      await expectSignedIn(on, await on.tab.signIn('op'))
      const header = tokenRequest(on)?.headers.get('authorization')
      expect(header).toBe(`Basic ${btoa('client:GOCSPX-a_b.c-1')}`)
    })
  })

  describe('a private key', () => {
    test('can be set by the application', async () => {
      op.misbehaviour.overlooks = ['client_authentication']
      const options = {
        client: { token_endpoint_auth_method: 'private_key_jwt' },
        token: { clientPrivateKey: privateKey },
      }
      const on = site(op, { config: { providers: [{ ...oauth(op), options }] } })
      await expectSignedIn(on, await on.tab.signIn('op'))
      const assertion = tokenRequest(on)?.body.get('client_assertion') ?? ''
      const { payload } = await jwtVerify(assertion, publicKey)
      // Without an issuer, the endpoint is the one name that both sides share (RFC 7523 §3).
      expect(payload.aud).toBe('https://issuer.test/token')
    })
  })
})

describe('options for vendors that differ from RFC 6749', async () => {
  function siteWith(provider: Partial<OAuth2Config>) {
    return site(op, { provider: { ...oauth(op), ...provider } })
  }

  describe('token.request', () => {
    test('replaces the token request', async () => {
      const requests: unknown[] = []
      const opened = siteWith({
        token: {
          url: `${op.url}/token`,
          async request({ params, checks, redirectUri, provider }) {
            requests.push({ params, checks, redirectUri, provider })
            const { code = '' } = params
            const body = new URLSearchParams({
              code,
              redirect_uri: redirectUri,
              client_id: provider.clientId,
              client_secret: provider.clientSecret ?? '',
              code_verifier: checks.code_verifier ?? '',
            })
            const response = await provider.fetch(provider.token?.url ?? '', {
              method: 'POST',
              body,
            })
            const { token_type: _none, ...tokens } = await response.json()
            return { tokens }
          },
        },
      })
      await expectSignedIn(opened, await opened.tab.signIn('op'))
      expect(requests).toMatchObject([
        {
          params: { code: expect.any(String) },
          checks: { code_verifier: expect.stringMatching(/^[\w-]{43}$/) },
          redirectUri: 'https://app.test/auth/callback/op',
          provider: { id: 'op', callbackUrl: 'https://app.test/auth/callback/op' },
        },
      ])
      expect(opened.signedIn[0]?.account?.token_type).toBe('bearer')
    })

    test('receives the redirect URI of the redirect proxy', async () => {
      const received: string[] = []
      const preview = deployment(op, PREVIEW, {
        provider: {
          ...oauth(op),
          token: {
            url: `${op.url}/token`,
            request({ redirectUri }) {
              received.push(redirectUri)
              throw new Error('no')
            },
          },
        },
      })
      const { url } = await op.authorize((await preview.tab.begin('op')).url)
      await arrive(preview, locationOf(await arrive(proxyFor(op, [PREVIEW]), url)))
      expect(received).toEqual([`${PROXY}/auth/callback/op`])
    })

    test.each([
      ['throws', () => Promise.reject(new Error('no'))],
      ['returns no access token', async () => ({ tokens: {} })],
    ])('rejects the sign-in if it %s', async (_what, request) => {
      const opened = siteWith({ token: { url: `${op.url}/token`, request } })
      await expectRefused(opened, await opened.tab.signIn('op'))
    })
  })

  describe('token.params', () => {
    const params = { audience: 'api', resource: undefined, none: null, grant_type: 'password' }
    const token = { url: `${op.url}/token?version=2`, params }

    test('are parameters of the body, and cannot replace those of the grant', async () => {
      const opened = siteWith({ token })
      await expectSignedIn(opened, await opened.tab.signIn('op'))
      const [{ url, body } = {}] = opened.sent
      expect(url?.href).toBe(`${op.url}/token?version=2`)
      expect(Object.fromEntries(body ?? [])).toMatchObject({
        audience: 'api',
        grant_type: 'authorization_code',
      })
      expect([body?.has('resource'), body?.has('none')]).toEqual([false, false])
    })
  })

  test('{issuer} in authorization.params is the issuer of the configuration', async () => {
    const opened = siteWith({
      type: 'oauth',
      issuer: `${op.url}/`,
      authorization: { url: `${op.url}/authorize`, params: { resource: '{issuer}', other: 1 } },
    })
    const { searchParams } = (await opened.tab.begin('op')).url
    expect([searchParams.get('resource'), searchParams.get('other')]).toEqual([op.url, '1'])
  })

  describe('clientIdParameter', () => {
    test.each(['client_secret_post', 'none'])('names the client id with %s', async (method) => {
      const opened = siteWith({
        clientIdParameter: 'client_key',
        client: { token_endpoint_auth_method: method },
      })
      op.misbehaviour.overlooks = ['client_authentication']
      const attempt = await opened.tab.begin('op')
      const { searchParams } = attempt.url
      expect(searchParams.get('client_key')).toBe('client')
      expect(searchParams.has('client_id')).toBe(false)
      await expectSignedIn(opened, await attempt.complete())
      const { body } = opened.sent[0] ?? {}
      expect(body?.get('client_key')).toBe('client')
      expect(body?.has('client_id')).toBe(false)
    })
  })

  test('a deprecated provider is reported once', async () => {
    const { tab, log } = siteWith({ deprecated: 'Use another one.' })
    await tab.begin('op')
    await tab.begin('op')
    expect(log.lines.filter(([, code]) => code === 'provider-deprecated')).toEqual([
      ['warn', 'provider-deprecated', 'The provider op is deprecated. Use another one.'],
    ])
  })

  describe('the user that a provider posts with the response', () => {
    const provider = {
      [postedUser]: true,
      type: 'oidc',
      issuer: op.url,
      authorization: { params: { response_mode: 'form_post' } },
      profile: (profile: { readonly sub?: string | null; readonly user?: unknown }) => ({
        id: profile.sub ?? '',
        name: JSON.stringify(profile.user),
      }),
    } as const

    async function signInWith(user: string | null, options: Partial<OIDCConfig> = {}) {
      const opened = site(op, { provider: { ...provider, ...options } })
      op.misbehaviour.authorization = (parameters) => {
        if (user !== null) parameters.set('user', user)
        return parameters
      }
      return { opened, response: await opened.tab.signIn('op') }
    }

    test('is part of the profile', async () => {
      const { opened, response } = await signInWith('{"name":{"firstName":"Ada"}}')
      await expectSignedIn(opened, response)
      expect(opened.signedIn[0]?.user.name).toBe('{"name":{"firstName":"Ada"}}')
    })

    test.each([null, 'not JSON', '[]', 'null'])('is ignored if it is %s', async (user) => {
      const { opened, response } = await signInWith(user)
      await expectSignedIn(opened, response)
      expect(opened.signedIn[0]?.profile).not.toHaveProperty('user')
    })

    test.each([
      ['the provider is not Apple', { [postedUser]: undefined }],
      ['it is in the query', { authorization: {} }],
    ])('is ignored if %s', async (_what, options) => {
      const { opened, response } = await signInWith('{"name":{"firstName":"Eve"}}', options)
      await expectSignedIn(opened, response)
      expect(opened.signedIn[0]?.profile).not.toHaveProperty('user')
    })

    test('is ignored if it is in the query of a provider with form_post', async () => {
      const opened = site(op, { provider })
      const { url } = await opened.tab.begin('op')
      const { form = new URLSearchParams() } = await op.authorize(url)
      form.set('user', '{"name":{"firstName":"Eve"}}')
      const response = await opened.tab.request(`callback/op?${form}`, { initiator: 'cross-site' })
      await expectSignedIn(opened, response)
      expect(opened.signedIn[0]?.profile).not.toHaveProperty('user')
    })

    test('does not replace a claim of the ID token', async () => {
      op.misbehaviour.idToken = ({ header, claims }) => ({
        header,
        claims: { ...claims, user: 'signed' },
      })
      const { opened, response } = await signInWith('{"name":{"firstName":"Eve"}}')
      await expectSignedIn(opened, response)
      expect(opened.signedIn[0]?.user.name).toBe('"signed"')
    })

    test('is limited in length', async () => {
      const { response } = await signInWith(JSON.stringify({ name: 'x'.repeat(5000) }))
      expect(response.status).toBe(400)
    })
  })
})
