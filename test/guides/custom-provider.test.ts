/** docs/guides/custom-provider.md */
import { expect, test } from 'vitest'
import type { OAuthConfig, Provider } from '../../src/core/config/provider.ts'
import { expectSignedIn } from '../oauth.ts'
import { completeSignIn, oauthSite, oidcSite, OPTIONS } from '../providers/vendor.ts'
import type { Exchange, VendorSite } from '../providers/vendor.ts'
import { openGuide } from './guide.ts'

const guide = openGuide('custom-provider')

const TOKENS = { access_token: 'token', token_type: 'bearer' }
const PROFILE = { id: 1, login: 'ada', email: 'ada@example.com', avatar_url: 'https://a.example/1' }
const TOKEN_URL = 'https://acme.example/oauth/token'
const USER_URL = 'https://api.acme.example/user'

/** A provider of the guide, with the client of the test vendor. */
async function provider(file: string, name: string): Promise<OAuthConfig> {
  const { [name]: exported } = await guide.load<Record<string, OAuthConfig | (() => OAuthConfig)>>(
    `${file}.ts`,
  )
  const found = typeof exported === 'function' ? exported() : exported
  if (!found) throw new Error(`${file}.ts does not export ${name}.`)
  return { ...found, options: { ...found.options, ...OPTIONS } }
}

const get = (url: string, body: unknown): Exchange => ({
  request: { method: 'GET', url },
  response: { status: 200, body },
})

/** A site whose vendor has the endpoints of Acme. */
function acmeSite(entry: Provider, body: unknown = TOKENS, exchanges: Exchange[] = []): VendorSite {
  const responses = [get(USER_URL, PROFILE), ...exchanges]
  return oauthSite(entry, { url: TOKEN_URL, response: { status: 200, body } }, responses)
}

async function tokenRequest({ received }: VendorSite): Promise<string> {
  const sent = received.find(({ method }) => method === 'POST')
  return sent ? sent.text() : ''
}

async function signIn(site: VendorSite): Promise<VendorSite['signedIn'][0]['user'] | undefined> {
  await expectSignedIn(site, await completeSignIn(site.tab))
  return site.signedIn[0]?.user
}

test('the custom OAuth provider signs in', async () => {
  const site = acmeSite(await provider('acme', 'Acme'))
  const { url } = await site.tab.begin('acme')
  expect(url.href).toMatch(/^https:\/\/acme\.example\/oauth\/authorize\?/)
  expect(url.searchParams.get('scope')).toBe('user:read')
  expect(await signIn(site)).toEqual({
    id: 'acme|1',
    name: 'ada',
    email: 'ada@example.com',
    image: 'https://a.example/1',
  })
})

test('the custom OpenID provider signs in with the claims of the ID token', async () => {
  const site = await oidcSite(await provider('company', 'company'), {
    url: 'https://sso.example.com',
  })
  await expectSignedIn(site, await site.tab.signIn('company', { sub: '7', name: 'Ada' }))
  expect(site.signedIn[0]?.user).toMatchObject({ id: 'company|7', name: 'Ada' })
})

test('the client id has the other name in both requests', async () => {
  const site = acmeSite(await provider('client-key', 'clientKey'))
  const { url } = await site.tab.begin('acme')
  expect(url.searchParams.get('client_key')).toBe(OPTIONS.clientId)
  await signIn(site)
  const sent = new URLSearchParams(await tokenRequest(site))
  expect([sent.get('client_key'), sent.has('client_id')]).toEqual([OPTIONS.clientId, false])
})

test('token.conform converts the token response', async () => {
  const body = { data: { access_token: 'token' } }
  expect(await signIn(acmeSite(await provider('conform', 'conformed'), body))).toMatchObject({
    id: 'acme|1',
  })
})

test('token.request sends JSON with the code verifier', async () => {
  const site = acmeSite(await provider('token-request', 'jsonTokens'))
  expect(await signIn(site)).toMatchObject({ id: 'acme|1' })
  expect(JSON.parse(await tokenRequest(site))).toEqual({
    grant_type: 'authorization_code',
    code: 'sample-code',
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    redirect_uri: 'https://app.test/auth/callback/acme',
    client_id: OPTIONS.clientId,
    client_secret: OPTIONS.clientSecret,
  })
})

test('userinfo.request combines two responses', async () => {
  const emails = get(`${USER_URL}/emails`, [
    { address: 'victim@example.com', primary: true, verified: false },
    { address: 'countess@example.com', primary: true, verified: true },
  ])
  const site = acmeSite(await provider('userinfo-request', 'withAddress'), TOKENS, [emails])
  expect(await signIn(site)).toMatchObject({ id: 'acme|1', email: 'countess@example.com' })
})
