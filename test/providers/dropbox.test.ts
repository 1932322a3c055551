import { expect, test } from 'vitest'
import Dropbox from '../../src/providers/dropbox.ts'
import { expectSignedIn, logged } from '../oauth.ts'
import fixture from './fixtures/dropbox.json' with { type: 'json' }
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'

const token = { url: fixture.token.url, response: { status: 200, body: fixture.tokenResponse } }
const request = { method: 'POST', url: fixture.userinfo }

test('requests the account from Dropbox without a body and a content type', async () => {
  const body = { account_id: 'dbid:1', name: { display_name: 'Ada' }, email: 'ada@example.com' }
  const site = oauthSite(Dropbox(OPTIONS), token, [{ request, response: { status: 200, body } }])
  await expectSignedIn(site, await completeSignIn(site.tab))
  const sent = site.received.find(({ url }) => url === fixture.userinfo)
  expect(sent?.headers.get('content-type')).toBeNull()
  expect(await sent?.text()).toBe('')
})

test('rejects a sign-in if Dropbox rejects the access token', async () => {
  const response = { status: 401, body: { error_summary: 'invalid_access_token/..' } }
  const site = oauthSite(Dropbox(OPTIONS), token, [{ request, response }])
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toContain('error=OAuthCallbackError')
  const message = 'Dropbox responded with status 401'
  expect(logged(site.log, [message])).toEqual([message])
})
