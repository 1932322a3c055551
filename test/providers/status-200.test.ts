/** Vendors that report errors with HTTP status 200, and options of their modules. */
import { expect, test } from 'vitest'
import VK from '../../src/providers/vk.ts'
import Webex from '../../src/providers/webex.ts'
import WeChat from '../../src/providers/wechat.ts'
import Withings from '../../src/providers/withings.ts'
import Zoho from '../../src/providers/zoho.ts'
import { logged } from '../oauth.ts'
import vk from './fixtures/vk.json' with { type: 'json' }
import wechat from './fixtures/wechat.json' with { type: 'json' }
import withings from './fixtures/withings.json' with { type: 'json' }
import zoho from './fixtures/zoho.json' with { type: 'json' }
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'

test.each([
  [
    'VK',
    VK(OPTIONS),
    { ...vk.token, method: 'POST' },
    vk.tokenErrorResponse,
    'the error invalid_grant',
  ],
  ['WeChat', WeChat(OPTIONS), wechat.token, wechat.tokenErrorResponse, 'errcode 40029'],
  [
    'Withings',
    Withings(OPTIONS),
    { ...withings.token, method: 'POST' },
    withings.tokenErrorResponse,
    'status 503',
  ],
])('%s rejects the code with status 200', async (name, provider, token, response, problem) => {
  const site = oauthSite(provider, { ...token, response })
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toMatch(/error=/)
  const message = `${name} responded with ${problem}`
  expect(logged(site.log, [message])).toEqual([message])
  expect(await site.tab.session()).toBeNull()
})

test('Zoho rejects the code with status 200', async () => {
  const site = oauthSite(Zoho(OPTIONS), { url: zoho.token.url, response: zoho.tokenErrorResponse })
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toContain('error=OAuthCallbackError')
})

test('WeChat receives the parameters in the documented order', async () => {
  const { tab } = oauthSite(WeChat({ ...OPTIONS, platformType: 'WebsiteApp' }), {
    url: wechat.token.url,
    response: wechat.tokenErrorResponse,
  })
  const { url } = await tab.begin('wechat')
  expect(url.href).toMatch(
    /^https:\/\/open\.weixin\.qq\.com\/connect\/qrconnect\?appid=sample-client&redirect_uri=[^&]+&response_type=code&scope=snsapi_login&state=[^&]+#wechat_redirect$/,
  )
})

test('an unknown region, platform or URL is reported with what to write', () => {
  expect(() => Zoho(JSON.parse('{"region":"us"}'))).toThrow('Set region to one of com, eu,')
  expect(() => WeChat(JSON.parse('{"platformType":"App"}'))).toThrow(
    'OfficialAccount or WebsiteApp',
  )
  expect(() => Webex({ apiBaseUrl: 'webexapis.com' })).toThrow('https://webexapis.com/v1')
})

test.each([
  ['eu', 'accounts.zoho.eu'],
  ['ca', 'accounts.zohocloud.ca'],
] as const)('Zoho uses the data centre %s', (region, host) => {
  expect(Zoho({ region }).token).toBe(`https://${host}/oauth/v2/token`)
})
