/** docs/guides/override-provider.md */
import { expect, onTestFinished, test, vi } from 'vitest'
import type { OAuthConfig } from '../../src/core/config/provider.ts'
import { expectSignedIn } from '../oauth.ts'
import { completeSignIn, oauthSite, oidcSite, OPTIONS } from '../providers/vendor.ts'
import type { Exchange, VendorSite } from '../providers/vendor.ts'
import { openGuide } from './guide.ts'

const guide = openGuide('override-provider')

const TOKENS = { access_token: 'token', token_type: 'bearer' }
const DISCORD = 'https://discord.com/api'

/** A provider of the guide, with the client of the test vendor. */
async function provider(file: string, name = file): Promise<OAuthConfig> {
  const { [name]: found } = await guide.load<Record<string, OAuthConfig>>(`${file}.ts`)
  if (!found) throw new Error(`${file}.ts does not export ${name}.`)
  return { ...found, options: { ...found.options, ...OPTIONS } }
}

const get = (url: string, body: unknown): Exchange => ({
  request: { method: 'GET', url },
  response: { status: 200, body },
})

const USER = { id: '5', username: 'ada', discriminator: '0', avatar: null }

function discordSite(entry: OAuthConfig, { token, me }: { token: string; me: string }): VendorSite {
  const exchange = { url: token, response: { status: 200, body: TOKENS } }
  return oauthSite(entry, exchange, [get(me, USER)])
}

const GITHUB_USER = {
  id: 1,
  login: 'ada',
  email: 'ada@example.com',
  avatar_url: 'https://a.example/1',
}

const OWN = { token: `${DISCORD}/oauth2/token`, me: `${DISCORD}/users/@me` }

async function signIn(site: VendorSite): Promise<VendorSite['signedIn'][0]['user'] | undefined> {
  await expectSignedIn(site, await completeSignIn(site.tab))
  return site.signedIn[0]?.user
}

test('the scope replaces that of the module, whose endpoints stay', async () => {
  const site = discordSite(await provider('scope', 'discord'), OWN)
  const { url } = await site.tab.begin('discord')
  expect(url.origin).toBe('https://discord.com')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    scope: 'identify guilds',
    prompt: 'none',
    code_challenge_method: 'S256',
  })
  expect(await signIn(site)).toMatchObject({ id: 'discord|5' })
})

test('the endpoints, client authentication and checks replace those of the module', async () => {
  const gateway = 'https://gateway.example.com/discord'
  const endpoints = { token: `${gateway}/token`, me: `${gateway}/me` }
  const site = discordSite(await provider('endpoints', 'discord'), endpoints)
  const { url } = await site.tab.begin('discord')
  expect(url.searchParams.has('code_challenge')).toBe(true)
  expect(await signIn(site)).toMatchObject({ id: 'discord|5' })
  const sent = site.received.find(({ method }) => method === 'POST')
  expect(await sent?.text()).toContain(`client_secret=${OPTIONS.clientSecret}`)
})

test('the profile and the name replace those of the module', async () => {
  const site = discordSite(await provider('profile', 'discord'), OWN)
  expect(await signIn(site)).toEqual({ id: 'discord|5', name: 'ada' })
  const providers = await (await site.tab.request('providers')).json()
  expect(providers).toMatchObject({ discord: { name: 'Our Discord server' } })
})

test('the issuer and the id replace those of the module', async () => {
  const site = await oidcSite(await provider('staff', 'staff'), {
    url: 'https://id.example.com/realms/staff',
  })
  await expectSignedIn(site, await site.tab.signIn('staff', { sub: '7' }))
  expect(site.signedIn[0]?.account?.provider).toBe('staff')
})

test('requests to the provider pass through customFetch', async () => {
  const sent: (readonly [url: string, key: string | null])[] = []
  vi.stubEnv('GATEWAY_KEY', 'key')
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push([request.url, request.headers.get('x-gateway-key')])
    return Response.json(request.method === 'POST' ? TOKENS : GITHUB_USER)
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
  })
  // The provider has the symbol of the built package, another copy than the source that the site runs.
  const { proxied } = await guide.load<{ proxied: OAuthConfig }>('proxied.ts')
  const exchange = { url: 'https://github.com/login/oauth/access_token', response: { status: 200 } }
  const site = oauthSite({ ...proxied, options: { ...OPTIONS, ...proxied.options } }, exchange, [])
  const iss = 'https://github.com/login/oauth'
  await expectSignedIn(site, await completeSignIn(site.tab, { iss }))
  expect(sent).toEqual([
    ['https://gateway.example.com/github.com/login/oauth/access_token', 'key'],
    ['https://gateway.example.com/api.github.com/user', 'key'],
  ])
  expect(site.requests).toEqual([])
})
