import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { OIDCConfig } from '../../../src/core/config/provider.ts'
import type { Account, AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import { SECRET, silentLog } from '../../config.ts'
import { expectSignedIn } from '../../oauth.ts'
import { consent } from './consent.mjs'
import { startCertified } from './certified-provider.mjs'

const CALLBACK = 'https://app.test/auth/callback/op'
const SECRETS = { basic: 'a secret of: 100% + ~&=/?', post: 'another secret' }

function client(id: keyof typeof SECRETS) {
  return {
    client_id: id,
    client_secret: SECRETS[id],
    token_endpoint_auth_method: `client_secret_${id}`,
    redirect_uris: [CALLBACK],
    response_types: ['code'],
    grant_types: ['authorization_code'],
  }
}

const clients = [client('basic'), client('post')]
let provider: Awaited<ReturnType<typeof startCertified>>

beforeAll(async () => {
  provider = await startCertified({ clients, port: undefined })
})
afterEach(() => {
  provider.requests.length = 0
})
afterAll(() => provider.close())

function siteFor(id: keyof typeof SECRETS, overrides: Partial<OIDCConfig> = {}) {
  const { log, logger } = silentLog()
  const accounts: (Account | null)[] = []
  const config: AuthConfig = {
    providers: [
      {
        id: 'op',
        name: 'Certified',
        type: 'oidc',
        issuer: provider.issuer,
        clientId: id,
        clientSecret: SECRETS[id],
        client: { token_endpoint_auth_method: `client_secret_${id}` },
        ...overrides,
      },
    ],
    secret: SECRET,
    trustHost: true,
    // A new function for each site, because metadata is cached by it.
    fetch: (input, init) => fetch(input, init),
    logger,
    callbacks: { signIn: ({ account }) => accounts.push(account) > 0 },
  }
  return { tab: browser(config), log, accounts }
}

async function signIn({ tab }: ReturnType<typeof siteFor>, declines = false): Promise<Response> {
  const transaction = await tab.begin('op')
  return transaction.comeBack({
    url: await consent(transaction.url, { issuer: provider.issuer, declines }),
  })
}

describe('at a certified provider', () => {
  test.each(['basic', 'post'] as const)(
    'signs in with state, PKCE and nonce (client_secret_%s)',
    async (id) => {
      const site = siteFor(id)
      const { url } = await site.tab.begin('op')
      for (const name of ['state', 'nonce', 'code_challenge'])
        expect(url.searchParams.get(name)).toMatch(/^[\w-]{43}$/)
      await expectSignedIn(site, await signIn(site))
      expect(site.accounts).toMatchObject([
        {
          provider: 'op',
          providerAccountId: 'ada',
          token_type: 'bearer',
          scope: 'openid profile email',
          id_token: expect.stringMatching(/^ey/),
        },
      ])
      const count = (path: string) => provider.requests.filter((each) => each === path).length
      expect(count('/token')).toBe(1)
      expect(count('/jwks')).toBe(1)
      expect(count('/.well-known/openid-configuration')).toBe(1)
      expect(count('/me')).toBe(0)
    },
  )

  test('identifies the user by userinfo', async () => {
    const site = siteFor('basic', { idToken: false })
    await expectSignedIn(site, await signIn(site))
    expect(await site.tab.session()).toMatchObject({
      user: { name: 'Ada Lovelace', email: 'ada@example.com' },
    })
    expect(provider.requests.filter((path) => path === '/me')).toHaveLength(1)
  })

  test('redirects to the sign-in page if the user declines', async () => {
    const site = siteFor('basic')
    const response = await signIn(site, true)
    expect(response.headers.get('location')).toBe(
      'https://app.test/auth/signin?error=OAuthCallbackError',
    )
    expect(site.log.errors).toMatchObject([{ cause: { providerError: 'access_denied' } }])
    expect(await site.tab.session()).toBeNull()
  })

  test('rejects a wrong client secret', async () => {
    const site = siteFor('basic', { clientSecret: 'wrong' })
    const response = await signIn(site)
    expect(response.headers.get('location')).toContain('/signin?error=OAuthCallbackError')
    expect(site.log.errors).toMatchObject([
      { cause: { providerError: 'invalid_client', status: 401 } },
    ])
    expect(await site.tab.session()).toBeNull()
  })

  test('redeems a code once', async () => {
    const site = siteFor('basic')
    const first = await site.tab.begin('op')
    const callbackUrl = await consent(first.url, { issuer: provider.issuer })
    await expectSignedIn(site, await first.comeBack({ url: callbackUrl }))
    const again = await site.tab.begin('op')
    const state = again.url.searchParams.get('state') ?? ''
    const stale = new URL(callbackUrl)
    stale.searchParams.set('state', state)
    await again.comeBack({ url: stale.href })
    expect(site.log.errors).toMatchObject([{ cause: { providerError: 'invalid_grant' } }])
  })

  test('requests re-authentication with max_age', async () => {
    const authorization = { params: { max_age: 0, prompt: 'login' } }
    const site = siteFor('basic', { authorization })
    await expectSignedIn(site, await signIn(site))
    const { id_token = '' } = site.accounts[0] ?? {}
    const claims: unknown = JSON.parse(atob(id_token.split('.')[1] ?? ''))
    expect(claims).toHaveProperty('auth_time')
  })

  test('verifies with rotated keys', async () => {
    const site = siteFor('basic')
    await expectSignedIn(site, await signIn(site))
    const { port } = provider
    await provider.close()
    provider = await startCertified({ clients, port })
    await expectSignedIn(site, await signIn(site))
    expect(provider.requests.filter((path) => path === '/jwks')).toHaveLength(1)
    expect(provider.requests).not.toContain('/.well-known/openid-configuration')
  })
})
