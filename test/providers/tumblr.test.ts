import { expect, test } from 'vitest'
import Tumblr from '../../src/providers/tumblr.ts'
import { logged } from '../oauth.ts'
import fixture from './fixtures/tumblr.json' with { type: 'json' }
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'

test('rejects a sign-in if Tumblr reports no primary blog', async () => {
  const token = { url: fixture.token.url, response: { status: 200, body: fixture.tokenResponse } }
  const blogs = [{ name: 'side-blog', uuid: 't:side', primary: false }]
  const response = { status: 200, body: { response: { user: { name: 'ada', blogs } } } }
  const request = { method: 'GET', url: fixture.userinfo }
  const site = oauthSite(Tumblr(OPTIONS), token, [{ request, response }])
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toMatch(/error=/)
  expect(logged(site.log, ['without a primary blog'])).toHaveLength(1)
})
