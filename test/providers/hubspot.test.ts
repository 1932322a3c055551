import { expect, test } from 'vitest'
import HubSpot from '../../src/providers/hubspot.ts'
import { logged } from '../oauth.ts'
import fixture from './fixtures/hubspot.json' with { type: 'json' }
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'
import type { Exchange } from './vendor.ts'

const { url } = fixture.token

function siteWith(response: Exchange['response']) {
  const token = { url, response: { status: 200, body: fixture.tokenResponse } }
  const request = { method: 'POST', url: fixture.userinfo }
  return oauthSite(HubSpot(OPTIONS), token, [{ request, response }])
}

test('introspects the access token at HubSpot with the client credentials in the body', async () => {
  const site = siteWith({
    status: 200,
    body: { active: true, user_id: 1, user: 'ada@example.com' },
  })
  await completeSignIn(site.tab)
  const introspection = site.received.find((each) => each.url === fixture.userinfo)
  expect(introspection?.headers.get('authorization')).toBeNull()
  expect(Object.fromEntries(new URLSearchParams(await introspection?.text()))).toEqual({
    client_id: 'sample-client',
    client_secret: 'sample-secret',
    token: 'sample-access-token',
    token_type_hint: 'access_token',
  })
})

test.each<[string, Exchange['response'], string]>([
  ['an inactive token', { status: 200, body: { active: false } }, 'inactive access token'],
  ['status 401', { status: 401, body: { message: 'expired' } }, 'status 401'],
])('rejects a sign-in if HubSpot responds with %s', async (_what, response, message) => {
  const site = siteWith(response)
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toContain('error=OAuthCallbackError')
  expect(logged(site.log, [message])).toEqual([message])
  expect(await site.tab.session()).toBeNull()
})
