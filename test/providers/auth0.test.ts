import { describe, expect, test } from 'vitest'
import Auth0 from '../../src/providers/auth0.ts'
import { expectSignedIn } from '../oauth.ts'
import fixture from './fixtures/auth0.json' with { type: 'json' }
import { expectUser, OIDC_REQUEST, oidcSite, OPTIONS, userClaims } from './vendor.ts'
import type { Vector } from './vendor.ts'

const vectors: Vector[] = fixture.vectors
const WITHOUT_SLASH = fixture.issuer.slice(0, -1)

/** A site with Auth0: its issuer ends with a slash, which its endpoints do not repeat. */
async function siteFor(issuer: string) {
  const site = await oidcSite(Auth0({ ...OPTIONS, issuer }), { url: WITHOUT_SLASH })
  const { misbehaviour } = site.op
  misbehaviour.discovery = (metadata) => ({ ...metadata, issuer: fixture.issuer })
  misbehaviour.idToken = ({ header, claims }) => ({
    header,
    claims: { ...claims, iss: fixture.issuer },
  })
  misbehaviour.authorization = (parameters) => {
    parameters.set('iss', fixture.issuer)
    return parameters
  }
  misbehaviour.token = (body) => ({ ...body, ...fixture.tokenResponse })
  return site
}

describe.each([fixture.issuer, WITHOUT_SLASH])('Auth0 at %s', (issuer) => {
  test('is requested with the scopes profile and email', async () => {
    const site = await siteFor(issuer)
    const { url } = await site.tab.begin('auth0')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ...OIDC_REQUEST,
      redirect_uri: 'https://app.test/auth/callback/auth0',
    })
    expect(site.requests).toEqual([
      'GET https://example.eu.auth0.com/.well-known/openid-configuration',
    ])
  })

  test.each(vectors)('signs the user in: $name', async (vector) => {
    const site = await siteFor(issuer)
    const claims = userClaims(vector.idTokenClaims ?? {})
    await expectSignedIn(site, await site.tab.signIn('auth0', claims))
    expectUser(site, 'auth0', vector)
  })

  test.each([
    ['two slashes', `${fixture.issuer}/`],
    ['another tenant', 'https://evil.eu.auth0.com/'],
  ])('rejects a token of %s', async (_what, iss) => {
    const site = await siteFor(issuer)
    site.op.misbehaviour.idToken = ({ header, claims }) => ({ header, claims: { ...claims, iss } })
    const response = await site.tab.signIn('auth0')
    expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
    expect(await site.tab.session()).toBeNull()
  })
})
