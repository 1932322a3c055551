import { expect, test } from 'vitest'
import Foursquare from '../../src/providers/foursquare.ts'
import { logged } from '../oauth.ts'
import fixture from './fixtures/foursquare.json' with { type: 'json' }
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'

const user = { id: '42', firstName: 'Ada' }

test.each([
  ['an error with status 200', 200, { meta: { code: 401 }, response: { user } }],
  ['status 410', 410, { meta: { code: 410 }, response: {} }],
])('rejects a sign-in if Foursquare responds with %s', async (_what, status, body) => {
  const token = { url: fixture.token.url, response: { status: 200, body: fixture.tokenResponse } }
  const request = { method: 'GET', url: fixture.userinfo }
  const site = oauthSite(Foursquare(OPTIONS), token, [{ request, response: { status, body } }])
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toContain('error=OAuthCallbackError')
  // The access token is in the URL of the request.
  const texts = ['Foursquare responded with', 'sample-access-token']
  expect(logged(site.log, texts)).toEqual(['Foursquare responded with'])
})
