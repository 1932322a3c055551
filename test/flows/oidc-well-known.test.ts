import { expect, test } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import { expectRefused, expectSignedIn, site } from '../oauth.ts'

const op = await issuer()
/** An OpenID provider that is configured only by the URL of its metadata. */
const provider = { issuer: undefined, wellKnown: `${op.url}/.well-known/openid-configuration` }

test('signs in with an OpenID provider that is configured by wellKnown only', async () => {
  op.reset()
  const on = site(op, { provider })
  await expectSignedIn(on, await on.tab.signIn('op'))
  expect(on.signedIn[0]?.user.name).toBe('Ada Lovelace')
})

test('signs in with a provider that signs its userinfo', async () => {
  op.reset()
  const client = { userinfo_signed_response_alg: 'RS256' }
  const on = site(op, { provider: { ...provider, idToken: false, client } })
  op.misbehaviour.userinfo = async (claims) =>
    new Response(await op.sign(claims), { headers: { 'content-type': 'application/jwt' } })
  await expectSignedIn(on, await on.tab.signIn('op'))
})

test('rejects an ID token whose issuer is not the one in the metadata', async () => {
  op.reset()
  const on = site(op, { provider })
  op.misbehaviour.idToken = (draft) => ({
    ...draft,
    claims: { ...draft.claims, iss: 'https://evil.test' },
  })
  await expectRefused(on, await on.tab.signIn('op'))
})
