import { expect, test } from 'vitest'
import Gumroad from '../../src/providers/gumroad.ts'
import { logged } from '../oauth.ts'
import fixture from './fixtures/gumroad.json' with { type: 'json' }
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'

test.each([
  ['success: false with status 200', 200, { success: false, message: 'Not allowed.' }],
  ['a user without success', 200, { user: { user_id: '1' } }],
  ['status 401', 401, { success: true, user: { user_id: '1' } }],
])('rejects a sign-in if Gumroad responds with %s', async (_what, status, body) => {
  const token = { url: fixture.token.url, response: { status: 200, body: fixture.tokenResponse } }
  const request = { method: 'GET', url: fixture.userinfo }
  const site = oauthSite(Gumroad(OPTIONS), token, [{ request, response: { status, body } }])
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toContain('error=OAuthCallbackError')
  expect(logged(site.log, ['Gumroad responded'])).toHaveLength(1)
  expect(await site.tab.session()).toBeNull()
})
