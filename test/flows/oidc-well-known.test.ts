import { expect, test } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import { expectRefused, expectSignedIn, site } from '../oauth.ts'

const op = await issuer()
/** An OpenID provider of which nothing is known but where its metadata is. */
const provider = { issuer: undefined, wellKnown: `${op.url}/.well-known/openid-configuration` }

test('signs in with an OpenID provider that is known by its metadata alone', async () => {
  op.reset()
  const on = site(op, { provider })
  await expectSignedIn(on, await on.tab.signIn('op'))
  expect(on.signedIn[0]?.user.name).toBe('Ada Lovelace')
})

test('and when it signs what it says of people', async () => {
  op.reset()
  const client = { userinfo_signed_response_alg: 'RS256' }
  const on = site(op, { provider: { ...provider, idToken: false, client } })
  op.misbehaviour.userinfo = async (claims) =>
    new Response(await op.sign(claims), { headers: { 'content-type': 'application/jwt' } })
  await expectSignedIn(on, await on.tab.signIn('op'))
})

test('signs nobody in with a token of another issuer than its metadata names', async () => {
  op.reset()
  const on = site(op, { provider })
  op.misbehaviour.idToken = (draft) => ({
    ...draft,
    claims: { ...draft.claims, iss: 'https://evil.test' },
  })
  await expectRefused(on, await on.tab.signIn('op'))
})
