import { expect, test } from 'vitest'
import Keycloak from '../../src/providers/keycloak.ts'
import { expectSignedIn } from '../oauth.ts'
import fixture from './fixtures/keycloak.json' with { type: 'json' }
import { expectUser, OIDC_REQUEST, oidcSite, OPTIONS, userClaims } from './vendor.ts'
import type { Vector } from './vendor.ts'

const vectors: Vector[] = fixture.vectors

test('requests the profile and the address from Keycloak', async () => {
  const site = await siteOfKeycloak()
  const { url } = await site.tab.begin('keycloak')
  expect(url.href).toContain(fixture.issuer)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...OIDC_REQUEST,
    redirect_uri: 'https://app.test/auth/callback/keycloak',
  })
})

function siteOfKeycloak() {
  return oidcSite(Keycloak({ ...OPTIONS, issuer: fixture.issuer }), { url: fixture.issuer })
}

test.each(vectors)('signs in with Keycloak: $name', async (vector) => {
  const site = await siteOfKeycloak()
  site.op.misbehaviour.token = (body) => ({ ...body, ...fixture.tokenResponse })
  const claims = userClaims(vector.idTokenClaims ?? {})
  await expectSignedIn(site, await site.tab.signIn('keycloak', claims))
  expectUser(site, 'keycloak', vector)
  expect(site.op.requests).toEqual({ discovery: 1, jwks: 1, token: 1, userinfo: 0 })
})

test('reports the correct spelling of a realm with a trailing slash', async () => {
  const provider = Keycloak({ ...OPTIONS, issuer: `${fixture.issuer}/` })
  const site = await oidcSite(provider, { url: fixture.issuer })
  const response = await site.tab.post('signin/keycloak')
  expect(response.status).toBe(500)
  expect(site.log.errors[0]?.message).toContain(`"${fixture.issuer}" in its metadata`)
})

test('requires a realm', async () => {
  const site = await oidcSite(Keycloak(OPTIONS), { url: fixture.issuer })
  const response = await site.tab.post('signin/keycloak')
  expect(response.status).toBe(500)
  expect(site.log.errors[0]?.message).toMatch(/keycloak.*issuer/)
})
