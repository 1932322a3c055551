import { expect, test } from 'vitest'
import Google from '../../src/providers/google.ts'
import { expectSignedIn } from '../oauth.ts'
import fixture from './fixtures/google.json' with { type: 'json' }
import { expectUser, OIDC_REQUEST, oidcSite, OPTIONS, userClaims } from './vendor.ts'
import type { Vector } from './vendor.ts'

const vectors: Vector[] = fixture.vectors

test('requests the profile and the address from Google', async () => {
  const site = await siteOfGoogle()
  const { url } = await site.tab.begin('google')
  expect(url.href).toContain(fixture.issuer)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...OIDC_REQUEST,
    redirect_uri: 'https://app.test/auth/callback/google',
  })
})

function siteOfGoogle() {
  return oidcSite(Google(OPTIONS), { url: fixture.issuer })
}

test.each(vectors)('signs in with Google: $name', async (vector) => {
  const site = await siteOfGoogle()
  site.op.misbehaviour.token = (body) => ({ ...body, ...fixture.tokenResponse })
  const claims = userClaims(vector.idTokenClaims ?? {})
  await expectSignedIn(site, await site.tab.signIn('google', claims))
  expectUser(site, 'google', vector)
  expect(site.op.requests).toEqual({ discovery: 1, jwks: 1, token: 1, userinfo: 0 })
})

test('rejects another issuer than Google', async () => {
  const site = await siteOfGoogle()
  site.op.misbehaviour.idToken = ({ header, claims }) => ({
    header,
    claims: { ...claims, iss: 'https://accounts.google.com.evil.example' },
  })
  const response = await site.tab.signIn('google')
  expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
})

test('passes the organization of the user to the application', async () => {
  const site = await siteOfGoogle()
  const claims = userClaims(vectors[1]?.idTokenClaims ?? {})
  await expectSignedIn(site, await site.tab.signIn('google', claims))
  expect(site.signedIn[0]?.profile).toMatchObject({ hd: 'example.com', email_verified: true })
})
