import { expect, test } from 'vitest'
import Trakt from '../../src/providers/trakt.ts'
import { logged } from '../oauth.ts'
import fixture from './fixtures/trakt.json' with { type: 'json' }
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'

test.each([
  ['status 401', 401, {}, 'Trakt responded with status 401.'],
  ['settings without a user', 200, { account: {} }, 'Trakt responded without a user.'],
  ['a user without a UUID', 200, { user: { username: 'ada', ids: { slug: 'ada' } } }, 'no id'],
])('rejects a sign-in if Trakt responds with %s', async (_what, status, body, message) => {
  const token = { url: fixture.token.url, response: { status: 200, body: fixture.tokenResponse } }
  const request = { method: 'GET', url: fixture.userinfo }
  const site = oauthSite(Trakt(OPTIONS), token, [{ request, response: { status, body } }])
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toMatch(/error=/)
  expect(logged(site.log, [message])).toEqual([message])
  expect(await site.tab.session()).toBeNull()
})
