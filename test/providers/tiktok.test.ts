import { expect, test } from 'vitest'
import TikTok from '../../src/providers/tiktok.ts'
import { logged } from '../oauth.ts'
import fixture from './fixtures/tiktok.json' with { type: 'json' }
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'
import type { Exchange } from './vendor.ts'

function siteWith(token: Exchange['response'], response: Exchange['response']) {
  const request = { method: 'GET', url: fixture.userinfo }
  return oauthSite(TikTok(OPTIONS), { url: fixture.token.url, response: token }, [
    { request, response },
  ])
}

const tokens = { status: 200, body: fixture.tokenResponse }

test.each([
  ['an error', 200, { data: {}, error: { code: 'scope_not_authorized' } }, 'the error scope_not'],
  [
    'an error and a user',
    200,
    { data: { user: { open_id: '1' } }, error: { code: 'internal_error' } },
    'the error internal_error',
  ],
  ['status 401', 401, { data: {}, error: { code: 'access_token_invalid' } }, 'status 401'],
])('rejects a sign-in if TikTok responds with %s', async (_what, status, body, problem) => {
  const site = siteWith(tokens, { status, body })
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toContain('error=OAuthCallbackError')
  const message = `TikTok responded with ${problem}`
  expect(logged(site.log, [message])).toEqual([message])
  expect(await site.tab.session()).toBeNull()
})

test('rejects an expired code, which TikTok reports with status 200', async () => {
  const site = siteWith(fixture.tokenErrorResponse, { status: 500 })
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toContain('error=OAuthCallbackError')
  expect(site.requests).toEqual([`POST ${fixture.token.url}`])
})
