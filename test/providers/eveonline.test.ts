import { expect, test } from 'vitest'
import EVEOnline from '../../src/providers/eveonline.ts'
import { expectSignedIn } from '../oauth.ts'
import fixture from './fixtures/eveonline.json' with { type: 'json' }
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'

const { url } = fixture.token

function siteWith(access_token: string) {
  const body = { ...fixture.tokenResponse, access_token }
  return oauthSite(EVEOnline(OPTIONS), { url, response: { status: 200, body } })
}

function jwt(claims: object): string {
  return `e30.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.c2ln`
}

test('reads the character of EVE Online from the access token, without a request', async () => {
  const site = siteWith(fixture.tokenResponse.access_token)
  await expectSignedIn(site, await completeSignIn(site.tab))
  expect(site.requests).toEqual([`POST ${url}`])
  expect(site.signedIn[0]?.profile).toEqual({
    CharacterID: 95465499,
    CharacterName: 'CCP Ada Ünït',
    ExpiresOn: '2026-01-01T00:20:00.000Z',
    Scopes: 'publicData',
    TokenType: 'Character',
    CharacterOwnerHash: '8PmzCeTKb4VFUDrHLc/AeZXDSWM=',
    IntellectualProperty: 'EVE',
  })
})

test.each([
  ['is not a JWT', 'sample-access-token'],
  ['has claims that are not JSON', 'e30.aGVsbG8.c2ln'],
  ['has null as claims', 'e30.bnVsbA.c2ln'],
  ['has no subject', jwt({ name: 'Ada' })],
  ['has the subject of a corporation', jwt({ sub: 'CORPORATION:EVE:1', exp: 1767226800 })],
  ['has a subject without a number', jwt({ sub: 'CHARACTER:EVE:', exp: 1767226800 })],
])('rejects a sign-in if the access token of EVE Online %s', async (_what, token) => {
  const site = siteWith(token)
  const answer = await completeSignIn(site.tab)
  expect(answer.headers.get('location')).toContain('error=OAuthCallbackError')
  expect(await site.tab.session()).toBeNull()
})
