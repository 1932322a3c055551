import { expect, test } from 'vitest'
import Twitch from '../../src/providers/twitch.ts'
import { expectSignedIn, logged } from '../oauth.ts'
import fixture from './fixtures/twitch.json' with { type: 'json' }
import { oidcSite, OPTIONS } from './vendor.ts'

const vendor = { url: fixture.issuer }

test('stores the scopes of Twitch, which are a list, as text', async () => {
  const site = await oidcSite(Twitch(OPTIONS), vendor)
  site.op.misbehaviour.token = (tokens) => ({ ...tokens, scope: ['openid', 'user:read:email'] })
  await expectSignedIn(site, await site.tab.signIn('twitch'))
  expect(site.signedIn[0]?.account).toMatchObject({ scope: 'openid user:read:email' })
})

test('rejects a sign-in with an invalid code, for which Twitch sends no error code', async () => {
  const { status, body } = fixture.tokenErrorResponse
  const site = await oidcSite(Twitch(OPTIONS), vendor)
  site.op.misbehaviour.token = () => Response.json(body, { status })
  const response = await site.tab.signIn('twitch')
  expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
  expect(logged(site.log, ['invalid_request'])).toHaveLength(1)
})
