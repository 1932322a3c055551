import { expect, test } from 'vitest'
import OneLogin from '../../src/providers/onelogin.ts'
import { expectSignedIn } from '../oauth.ts'
import { oidcSite, OPTIONS } from './vendor.ts'

const ACCOUNT = 'https://example.onelogin.com'
const ISSUER = `${ACCOUNT}/oidc/2`

test.each([ACCOUNT, `${ACCOUNT}/`, ISSUER, `${ISSUER}/`])('OneLogin accepts %s', async (issuer) => {
  const site = await oidcSite(OneLogin({ ...OPTIONS, issuer }), { url: ISSUER })
  await expectSignedIn(site, await site.tab.signIn('onelogin'))
})

test('OneLogin rejects the issuer of another account', async () => {
  const site = await oidcSite(OneLogin({ ...OPTIONS, issuer: ACCOUNT }), { url: ISSUER })
  const iss = 'https://attacker.onelogin.com/oidc/2'
  site.op.misbehaviour.idToken = ({ header, claims }) => ({ header, claims: { ...claims, iss } })
  const response = await site.tab.signIn('onelogin')
  expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
})
