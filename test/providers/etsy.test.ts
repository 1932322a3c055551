import { expect, test } from 'vitest'
import Etsy from '../../src/providers/etsy.ts'
import { expectSignedIn, logged } from '../oauth.ts'
import fixture from './fixtures/etsy.json' with { type: 'json' }
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'
import type { Exchange } from './vendor.ts'

const token = { url: fixture.token.url, response: { status: 200, body: fixture.tokenResponse } }

function user(id: string, response: Exchange['response'], headers = {}): Exchange {
  return { request: { method: 'GET', url: `${fixture.userinfo}/${id}`, headers }, response }
}

test('sends the keystring alone as the key of the Etsy API if there is no shared secret', async () => {
  const { clientId } = OPTIONS
  const body = { user_id: 42, first_name: 'Ada' }
  const headers = { 'x-api-key': clientId }
  const site = oauthSite(Etsy({ clientId }), token, [
    user('me', { status: 200, body }, headers),
    user('42', { status: 200, body }, headers),
  ])
  await expectSignedIn(site, await completeSignIn(site.tab))
})

test.each<[string, Exchange['response'], string]>([
  ['no user_id', { status: 200, body: { shop_id: 1 } }, 'no user_id'],
  ['a path as user_id', { status: 200, body: { user_id: '../shops/1' } }, 'no user_id'],
  ['status 403', { status: 403, body: { error: 'Shared secret is required.' } }, 'status 403'],
])('rejects a sign-in if Etsy responds with %s', async (_what, response, message) => {
  const site = oauthSite(Etsy(OPTIONS), token, [user('me', response)])
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toContain('error=OAuthCallbackError')
  expect(logged(site.log, [message])).toEqual([message])
  expect(await site.tab.session()).toBeNull()
})
