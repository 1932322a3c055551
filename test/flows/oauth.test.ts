import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { OAuthConfig, OAuthProviderContext } from '../../src/config/provider.ts'
import { resolveProvider } from '../../src/flows/oauth/provider.ts'
import { issuer } from '../../src/testing/index.ts'
import type { Profile } from '../../src/types.ts'
import { transactionCookies, expectRefused, expectSignedIn, oauth, site } from '../oauth.ts'
import { stopClock } from '../sessions.ts'

const op = await issuer()

beforeEach(() => op.reset())
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
    const on = site(op, { provider: { type: 'oauth', token: { url: `${op.url}/token`, conform } } })
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(op.requests.token).toBe(1)
  })

  test('can leave its token response unchanged in conform', async () => {
    const seen: unknown[] = []
    const conform = async (response: Response) => void seen.push(await response.json())
    const on = site(op, { provider: { type: 'oauth', token: { url: `${op.url}/token`, conform } } })
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(seen).toMatchObject([{ token_type: 'Bearer' }])
  })

  test('rejects the sign-in if conform throws', async () => {
    const conform = () => Promise.reject(new Error('no'))
    const on = site(op, { provider: { type: 'oauth', token: { url: `${op.url}/token`, conform } } })
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
