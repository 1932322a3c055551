/** What vendors receive in place of a standard refresh (RFC 6749 §6) or revocation (RFC 7009). */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { getAccessToken } from '../../src/index.ts'
import Coinbase from '../../src/providers/coinbase.ts'
import Dropbox from '../../src/providers/dropbox.ts'
import Figma from '../../src/providers/figma.ts'
import LINE from '../../src/providers/line.ts'
import Naver from '../../src/providers/naver.ts'
import Notion from '../../src/providers/notion.ts'
import Slack from '../../src/providers/slack.ts'
import Strava from '../../src/providers/strava.ts'
import TikTok from '../../src/providers/tiktok.ts'
import Trakt from '../../src/providers/trakt.ts'
import Twitch from '../../src/providers/twitch.ts'
import VK from '../../src/providers/vk.ts'
import WeChat from '../../src/providers/wechat.ts'
import Zoom from '../../src/providers/zoom.ts'
import type { Provider } from '../../src/core/config/provider.ts'
import { fixtures } from './catalogue.ts'
import { completeSignIn, oauthSite, oidcSite, OPTIONS } from './vendor.ts'
import type { VendorSite } from './vendor.ts'

afterEach(() => vi.useRealTimers())

const TOKENS = { access_token: 'sample-access-token', refresh_token: 'rt-1', expires_in: 3600 }

/** A user who has signed in at an OAuth provider, with tokens in cookies. */
async function signedIn(provider: Provider, module: string): Promise<VendorSite> {
  const { token, tokenResponse, vectors } = fixtures.get(module) ?? {}
  const [{ responses = [], callback = {} } = {}] = vectors ?? []
  const body = { ...tokenResponse, ...TOKENS }
  const { url = '', method = 'POST' } = token ?? {}
  const at = { url: url ?? '', method, response: { status: 200, body } }
  const site = oauthSite(provider, at, responses, { revokeOnSignOut: 'session' })
  await completeSignIn(site.tab, callback)
  expect(site.log.errors).toEqual([])
  return site
}

/** The body of a request, which is a form or JSON. */
async function bodyOf(request: Request | undefined): Promise<unknown> {
  const text = (await request?.text()) ?? ''
  return text.startsWith('{') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
}

const BASIC = `Basic ${btoa('sample-client:sample-secret')}`
const CLIENT = { client_id: 'sample-client', client_secret: 'sample-secret' }
const STANDARD = { token: 'sample-access-token', token_type_hint: 'access_token' }

interface Revocation {
  readonly url: string
  readonly body: object
  readonly headers?: Record<string, string>
}

/** The request that follows a sign-out. */
async function expectRevoked(site: VendorSite, { url, body, headers }: Revocation): Promise<void> {
  site.instead.set(url, () => Response.json({ ok: true }))
  const before = site.received.length
  await site.tab.post('signout')
  const sent = site.received.slice(before).filter((each) => each.method === 'POST')
  expect(sent.map((each) => each.url)).toEqual([url])
  expect(await bodyOf(sent[0])).toEqual(body)
  expect(Object.fromEntries(sent[0]?.headers ?? [])).toMatchObject(headers ?? {})
  expect(site.log.lines.map(([, code]) => code)).not.toContain('token-not-revoked')
}

describe('a sign-out revokes the access token, as the vendor requires:', () => {
  test.each<[name: string, provider: Provider, Revocation]>([
    [
      'coinbase',
      Coinbase(OPTIONS),
      {
        url: 'https://login.coinbase.com/oauth2/revoke',
        body: { ...CLIENT, token: 'sample-access-token' },
        headers: { authorization: 'Bearer sample-access-token' },
      },
    ],
    [
      'dropbox',
      Dropbox(OPTIONS),
      {
        url: 'https://api.dropboxapi.com/2/auth/token/revoke',
        body: {},
        headers: { authorization: 'Bearer sample-access-token' },
      },
    ],
    [
      'naver',
      Naver(OPTIONS),
      {
        url: 'https://nid.naver.com/oauth2.0/token',
        body: {
          ...CLIENT,
          access_token: 'sample-access-token',
          grant_type: 'delete',
          service_provider: 'NAVER',
        },
      },
    ],
    [
      'notion',
      Notion(OPTIONS),
      {
        url: 'https://api.notion.com/v1/oauth/revoke',
        body: { token: 'sample-access-token' },
        headers: { authorization: BASIC, 'content-type': 'application/json' },
      },
    ],
    [
      'strava',
      Strava(OPTIONS),
      {
        url: 'https://www.strava.com/oauth/deauthorize',
        body: { ...CLIENT, access_token: 'sample-access-token' },
      },
    ],
    [
      'tiktok',
      TikTok(OPTIONS),
      {
        url: 'https://open.tiktokapis.com/v2/oauth/revoke/',
        body: { client_key: 'sample-client', client_secret: 'sample-secret', ...STANDARD },
      },
    ],
    [
      'trakt',
      Trakt(OPTIONS),
      {
        url: 'https://api.trakt.tv/oauth/revoke',
        body: { ...CLIENT, token: 'sample-access-token' },
      },
    ],
    [
      'vk',
      VK(OPTIONS),
      {
        url: 'https://id.vk.com/oauth2/revoke',
        body: { client_id: 'sample-client', access_token: 'sample-access-token' },
      },
    ],
    [
      'zoom',
      Zoom(OPTIONS),
      {
        url: 'https://zoom.us/oauth/revoke',
        body: STANDARD,
        headers: { authorization: BASIC },
      },
    ],
  ])('%s', async (name, provider, expected) => {
    await expectRevoked(await signedIn(provider, name), expected)
  })

  test.each<[name: string, provider: Provider, Revocation]>([
    [
      'line',
      LINE({ ...OPTIONS, client: { id_token_signed_response_alg: 'ES256' } }),
      {
        url: 'https://api.line.me/oauth2/v2.1/revoke',
        body: { ...CLIENT, access_token: 'sample-access-token' },
      },
    ],
    [
      'slack',
      Slack(OPTIONS),
      {
        url: 'https://slack.com/api/auth.revoke',
        body: {},
        headers: { authorization: 'Bearer sample-access-token' },
      },
    ],
    [
      'twitch',
      Twitch(OPTIONS),
      { url: 'https://id.twitch.tv/oauth2/revoke', body: { ...CLIENT, ...STANDARD } },
    ],
  ])('%s', async (name, provider, expected) => {
    const url = fixtures.get(name)?.issuer ?? ''
    const site = await oidcSite(provider, {
      url,
      algorithm: 'ES256',
      tokens: { revokeOnSignOut: 'session' },
    })
    site.op.misbehaviour.token = ({ id_token, token_type }) => ({ id_token, token_type, ...TOKENS })
    await site.tab.signIn(name)
    expect(site.log.errors).toEqual([])
    await expectRevoked(site, expected)
  })
})

test.each([
  ['vk', VK(OPTIONS), 'https://id.vk.com/oauth2/revoke', { error: 'invalid_token' }],
  ['dropbox', Dropbox(OPTIONS), 'https://api.dropboxapi.com/2/auth/token/revoke', { ok: false }],
] as const)('an error of %s with status 200 is logged', async (name, provider, url, body) => {
  const site = await signedIn(provider, name)
  site.instead.set(url, () => Response.json(body))
  await site.tab.post('signout')
  expect(site.log.lines).toContainEqual(['warn', 'token-not-revoked', expect.any(String)])
})

/** Reads the access token after an hour, in the browser of the user. */
async function readLater({ tab, config }: VendorSite, provider: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  const url = new URL('https://app.test/')
  const cookie = tab.cookies.header({ url, method: 'GET', initiator: 'same-site' }) ?? ''
  const request = new Request(url, { headers: { cookie, host: 'app.test' } })
  return getAccessToken(request, config, provider)
}

describe('a refresh is sent as the vendor requires:', () => {
  test('Figma has another URL for it', async () => {
    const site = await signedIn(Figma(OPTIONS), 'figma')
    const url = 'https://api.figma.com/v1/oauth/refresh'
    const body = { access_token: 'at-2', token_type: 'bearer', expires_in: 3600 }
    site.instead.set(url, () => Response.json(body))
    expect(await readLater(site, 'figma')).toMatchObject({ value: { accessToken: 'at-2' } })
    const sent = site.received.at(-1)
    expect([sent?.method, sent?.url]).toEqual(['POST', url])
    expect(sent?.headers.get('authorization')).toBe(BASIC)
    expect(await bodyOf(sent)).toEqual({ grant_type: 'refresh_token', refresh_token: 'rt-1' })
  })

  test('VK requires the device of the sign-in, each time', async () => {
    const site = await signedIn(VK(OPTIONS), 'vk')
    const body = { ...TOKENS, access_token: 'at-2', refresh_token: 'rt-2', token_type: 'Bearer' }
    site.instead.set('https://id.vk.com/oauth2/auth', () => Response.json(body))
    const { headers, value } = await readLater(site, 'vk')
    expect(value.accessToken).toBe('at-2')
    expect(await bodyOf(site.received.at(-1))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'rt-1',
      client_id: 'sample-client',
      device_id: 'sample-device',
    })
    const url = new URL('https://app.test/')
    for (const cookie of headers.getSetCookie()) site.tab.cookies.accept(cookie, url)
    await readLater(site, 'vk')
    expect(await bodyOf(site.received.at(-1))).toMatchObject({
      refresh_token: 'rt-2',
      device_id: 'sample-device',
    })
  })

  test('WeChat has another URL, and receives its parameters in the query', async () => {
    const site = await signedIn(WeChat(OPTIONS), 'wechat')
    const url = 'https://api.weixin.qq.com/sns/oauth2/refresh_token'
    site.instead.set(url, () => Response.json({ ...TOKENS, access_token: 'at-2' }))
    expect(await readLater(site, 'wechat')).toMatchObject({ value: { accessToken: 'at-2' } })
    const query = new URLSearchParams({
      appid: 'sample-client',
      grant_type: 'refresh_token',
      refresh_token: 'rt-1',
    })
    expect(site.requests.at(-1)).toBe(`GET ${url}?${query}`)
  })
})

describe('an invalid refresh token is recognized, in the words of the vendor:', () => {
  const refused = { code: 'reconnect' }

  test('WeChat', async () => {
    const site = await signedIn(WeChat(OPTIONS), 'wechat')
    const url = 'https://api.weixin.qq.com/sns/oauth2/refresh_token'
    site.instead.set(url, () => Response.json({ errcode: 40030, errmsg: 'invalid refresh_token' }))
    await expect(readLater(site, 'wechat')).rejects.toMatchObject({
      name: 'AccessTokenUnavailable',
    })
    await expect(readLater(site, 'wechat')).rejects.toMatchObject(refused)
  })

  test('Twitch', async () => {
    const url = fixtures.get('twitch')?.issuer ?? ''
    const site = await oidcSite(Twitch(OPTIONS), { url, refreshTokens: 'kept', tokens: {} })
    await site.tab.signIn('twitch')
    site.op.misbehaviour.token = () =>
      Response.json({ status: 400, message: 'Invalid refresh token' }, { status: 400 })
    await expect(readLater(site, 'twitch')).rejects.toMatchObject({
      name: 'AccessTokenUnavailable',
    })
    await expect(readLater(site, 'twitch')).rejects.toMatchObject(refused)
  })
})

describe('the application can set another URL', () => {
  test.each<[string, Provider]>([
    ['notion', Notion({ ...OPTIONS, revocation: { url: 'https://gateway.test/revoke' } })],
    ['dropbox', Dropbox({ ...OPTIONS, revocation: { url: 'https://gateway.test/revoke' } })],
    ['zoom', Zoom({ ...OPTIONS, revocation: 'https://gateway.test/revoke' })],
  ])('of the revocation at %s', async (name, provider) => {
    const site = await signedIn(provider, name)
    site.instead.set('https://gateway.test/revoke', () => new Response())
    await site.tab.post('signout')
    expect(site.requests.at(-1)).toBe('POST https://gateway.test/revoke')
  })

  test.each<[string, Provider]>([
    ['figma', Figma({ ...OPTIONS, refresh: { url: 'https://gateway.test/refresh' } })],
    ['vk', VK({ ...OPTIONS, refresh: { url: 'https://gateway.test/refresh' } })],
    ['wechat', WeChat({ ...OPTIONS, refresh: { url: 'https://gateway.test/refresh' } })],
  ])('of the refresh at %s', async (name, provider) => {
    const site = await signedIn(provider, name)
    const body = { ...TOKENS, access_token: 'at-2', token_type: 'bearer' }
    site.instead.set('https://gateway.test/refresh', () => Response.json(body))
    expect(await readLater(site, name)).toMatchObject({ value: { accessToken: 'at-2' } })
  })

  test.each(['refresh', 'revocation'])('only with https: %s', async (option) => {
    const provider = Zoom({ ...OPTIONS, [option]: 'http://gateway.test/' })
    const { tab, log } = oauthSite(provider, { url: '', response: { status: 500 } })
    await tab.request('signin')
    expect(log.errors[0]?.message).toContain(`${option} is not https`)
  })
})
