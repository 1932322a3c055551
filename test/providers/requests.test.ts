/** What single vendors receive in place of the standard. */
import { expect, test } from 'vitest'
import Dropbox from '../../src/providers/dropbox.ts'
import HubSpot from '../../src/providers/hubspot.ts'
import AniList from '../../src/providers/anilist.ts'
import Dribbble from '../../src/providers/dribbble.ts'
import type { DribbbleOptions } from '../../src/providers/dribbble.ts'
import Notion from '../../src/providers/notion.ts'
import StartGG from '../../src/providers/startgg.ts'
import WorkOS from '../../src/providers/workos.ts'
import type { Provider } from '../../src/core/config/provider.ts'
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'
import { fixtures } from './catalogue.ts'

/** The authorization request of a provider. */
async function authorizationUrl(provider: Provider, id: string): Promise<URL> {
  const { tab } = oauthSite(provider, { url: '', response: { status: 500 } })
  return (await tab.begin(id)).url
}

/** The last request of a sign-in, which is the one for the profile. */
async function profileRequest(provider: Provider, module: string): Promise<Request | undefined> {
  const { token, tokenResponse, vectors } = fixtures.get(module) ?? {}
  const response = { status: 200, body: tokenResponse }
  const exchanges = vectors?.[0]?.responses ?? []
  const site = oauthSite(provider, { url: token?.url ?? '', response }, exchanges)
  await completeSignIn(site.tab)
  expect(site.log.errors).toEqual([])
  return site.received.at(-1)
}

test.each([
  [AniList, 'anilist', '{ Viewer { id name avatar { large } } }'],
  [StartGG, 'startgg', '{ currentUser { id slug email player { gamerTag } } }'],
] as const)(
  'the profile request of %s contains the GraphQL query',
  async (factory, module, query) => {
    expect(await (await profileRequest(factory(OPTIONS), module))?.json()).toEqual({ query })
  },
)

test('Dropbox receives neither a body nor a content type', async () => {
  const sent = await profileRequest(Dropbox(OPTIONS), 'dropbox')
  expect(sent?.headers.get('content-type')).toBeNull()
  expect(await sent?.text()).toBe('')
})

test('HubSpot receives the access token with the client credentials in the body', async () => {
  const sent = await profileRequest(HubSpot(OPTIONS), 'hubspot')
  expect(sent?.headers.get('authorization')).toBeNull()
  expect(Object.fromEntries(new URLSearchParams(await sent?.text()))).toEqual({
    client_id: 'sample-client',
    client_secret: 'sample-secret',
    token: 'sample-access-token',
    token_type_hint: 'access_token',
  })
})

test.each<[DribbbleOptions, string]>([
  [{}, 'public'],
  [{ scope: 'public upload' }, 'public upload'],
])('with %o sends the scope "%s" to Dribbble', async (options, scope) => {
  const url = await authorizationUrl(Dribbble({ ...OPTIONS, ...options }), 'dribbble')
  expect(url.searchParams.get('scope')).toBe(scope)
})

test('Notion receives the callback URL with and without redirectUri', async () => {
  for (const options of [{}, { redirectUri: 'https://other.example.com/callback' }]) {
    const url = await authorizationUrl(Notion({ ...OPTIONS, ...options }), 'notion')
    const expected = ['https://app.test/auth/callback/notion']
    expect(url.searchParams.getAll('redirect_uri')).toEqual(expected)
  }
})

test('WorkOS without a connection uses the one that is passed to signIn', async () => {
  const { tab } = oauthSite(WorkOS(OPTIONS), { url: '', response: { status: 500 } })
  expect((await tab.begin('workos')).url.searchParams.has('connection')).toBe(false)
  const response = await tab.post('signin/workos?organization=org_1')
  const location = new URL(response.headers.get('location') ?? '')
  expect(location.searchParams.get('organization')).toBe('org_1')
})

test('WorkOS accepts another URL of the API', async () => {
  const provider = WorkOS({ ...OPTIONS, issuer: 'https://auth.example.com/' })
  const url = await authorizationUrl(provider, 'workos')
  expect(url.origin + url.pathname).toBe('https://auth.example.com/sso/authorize')
})
