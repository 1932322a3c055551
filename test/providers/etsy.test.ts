import { test } from 'vitest'
import Etsy from '../../src/providers/etsy.ts'
import { expectSignedIn } from '../oauth.ts'
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
