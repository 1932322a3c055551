import { beforeEach, describe, expect, test } from 'vitest'
import type { OIDCConfig } from '../../src/core/config/provider.ts'
import { issuer } from '../../src/testing/index.ts'
import type { Misbehaviour, Values } from '../../src/testing/index.ts'
import { expectRefused, expectSignedIn, site } from '../oauth.ts'

const op = await issuer()

beforeEach(() => op.reset())

type Draft = NonNullable<Misbehaviour['idToken']>

const HOUR = 3600
const now = () => Math.floor(Date.now() / 1000)
const claim =
  (claims: Values | (() => Values)): Draft =>
  (draft) => ({
    ...draft,
    claims: { ...draft.claims, ...(typeof claims === 'function' ? claims() : claims) },
  })
const without =
  (name: string): Draft =>
  ({ header, claims: { [name]: _removed, ...claims } }) => ({ header, claims })
const header =
  (members: Values): Draft =>
  ({ claims }) => ({ header: members, claims })

describe('an ID token', () => {
  test.each<[string, Draft]>([
    ['has another issuer', claim({ iss: 'https://evil.example' })],
    ['has its issuer with a trailing slash', claim({ iss: 'https://issuer.test/' })],
    ['has no issuer', without('iss')],
    ['has no sub', without('sub')],
    ['has a number as sub', claim({ sub: 42 })],
    ['has an empty sub', claim({ sub: '' })],
    ['has a sub of 256 characters', claim({ sub: 'x'.repeat(256) })],
    ['has a sub that is not ASCII', claim({ sub: 'adé' })],
    ['has a sub with a control character', claim({ sub: 'ada\u0000' })],
    ['is for another client', claim({ aud: 'other-client' })],
    ['has no audience', without('aud')],
    ['has an empty audience', claim({ aud: [] })],
    ['has an additional audience', claim({ aud: ['client', 'evil'] })],
    ['has an additional audience, and our azp', claim({ aud: ['client', 'evil'], azp: 'client' })],
    ['was issued to another client', claim({ azp: 'evil' })],
    ['does not expire', without('exp')],
    ['expired ten minutes ago', claim(() => ({ exp: now() - 600 }))],
    ['expired more than a minute ago', claim(() => ({ exp: now() - 61 }))],
    ['expires in words', claim({ exp: 'tomorrow' })],
    ['has no iat', without('iat')],
    ['is a week old', claim(() => ({ iat: now() - 7 * 24 * HOUR }))],
    ['is eleven minutes old', claim(() => ({ iat: now() - 660 }))],
    ['is an hour ahead', claim(() => ({ iat: now() + HOUR }))],
    ['is valid only in an hour (nbf)', claim(() => ({ nbf: now() + HOUR }))],
    ['has another nonce', claim({ nonce: 'another-nonce' })],
    ['has no nonce', without('nonce')],
    ['has an at_hash of another access token', claim({ at_hash: 'c2FtcGxlLWF0LWhhc2g' })],
    ['is longer than 64 KiB', claim({ filler: 'x'.repeat(64 * 1024) })],
    ['has the type of an access token', header({ typ: 'at+jwt' })],
    ['has the type of a logout token', header({ typ: 'logout+jwt' })],
    ['has the media type of an access token', header({ typ: 'application/at+jwt' })],
  ])('that %s is rejected', async (_what, idToken) => {
    const on = site(op)
    op.misbehaviour.idToken = idToken
    await expectRefused(on, await on.tab.signIn('op'))
    expect(op.requests.token).toBe(1)
  })

  test.each<[string, Draft, Partial<OIDCConfig>?]>([
    ['has our client id in a list of audiences', claim({ aud: ['client'] })],
    [
      'has an additional audience that is trusted',
      claim({ aud: ['client', 'api'], azp: 'client' }),
      { trustedAudiences: ['api'] },
    ],
    ['was issued to us', claim({ azp: 'client' })],
    ['has a sub of 255 characters', claim({ sub: 'x'.repeat(255) })],
    ['is nine minutes old', claim(() => ({ iat: now() - 540 }))],
    ['comes from a clock that is 30 seconds ahead', claim(() => ({ iat: now() + 30 }))],
    ['has the type JWT', header({ typ: 'JWT' })],
  ])('that %s is accepted', async (_what, idToken, provider = {}) => {
    const on = site(op, { provider })
    op.misbehaviour.idToken = idToken
    await expectSignedIn(on, await on.tab.signIn('op'))
  })

  test('for other trusted audiences must be issued to this client', async () => {
    const on = site(op, { provider: { trustedAudiences: ['api'] } })
    op.misbehaviour.idToken = claim({ aud: ['client', 'api'] })
    await expectRefused(on, await on.tab.signIn('op'))
  })

  test('with a nonce is rejected if none was sent', async () => {
    const on = site(op, { provider: { checks: ['state', 'pkce'] } })
    op.misbehaviour.idToken = claim({ nonce: 'out of nowhere' })
    await expectRefused(on, await on.tab.signIn('op'))
  })

  test('with the hash of its access token is accepted', async () => {
    const on = site(op, { provider: { checks: ['state', 'pkce'] } })
    const digest = async (text: string) =>
      new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
    op.misbehaviour.token = async ({ id_token: _replaced, ...body }) => {
      const hash = (await digest(String(body['access_token']))).slice(0, 16)
      const at_hash = Buffer.from(hash).toString('base64url')
      const claims = { iss: op.url, aud: 'client', sub: 'ada', iat: now(), exp: now() + 60 }
      return Response.json({ ...body, id_token: await op.sign({ ...claims, at_hash }) })
    }
    await expectSignedIn(on, await on.tab.signIn('op'))
  })

  test('with two sub members identifies one user consistently', async () => {
    const on = site(op)
    op.misbehaviour.signed = async (token) => {
      const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
      return op.sign(payload.replace('{', '{"sub":"victim",'))
    }
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(on.signedIn[0]).toMatchObject({
      user: { id: 'op|ada' },
      account: { providerAccountId: 'ada' },
      profile: { sub: 'ada' },
    })
  })

  test.each<[string, Misbehaviour['token']]>([
    ['missing', ({ id_token: _removed, ...body }) => body],
    ['null', (body) => ({ ...body, id_token: null })],
    ['a number', (body) => ({ ...body, id_token: 1 })],
    ['not a JWT', (body) => ({ ...body, id_token: 'a.b' })],
    ['not JSON', (body) => ({ ...body, id_token: 'e30.bm90IGpzb24.c2ln' })],
  ])('that is %s is rejected', async (_what, token) => {
    const on = site(op)
    if (token) op.misbehaviour.token = token
    await expectRefused(on, await on.tab.signIn('op'))
  })
})

describe('a requested claim', () => {
  const asking = (params: Values) => site(op, { provider: { authorization: { params } } })

  test.each<[string, Values, Draft]>([
    ['max_age without auth_time', { max_age: 60 }, without('auth_time')],
    [
      'max_age with an older auth_time',
      { max_age: 60 },
      claim(() => ({ auth_time: now() - 3 * 60 })),
    ],
    ['acr_values without acr', { acr_values: 'urn:mfa' }, without('acr')],
    ['two acr_values with another acr', { acr_values: 'a b' }, claim({ acr: 'c' })],
  ])('is enforced: %s is rejected', async (_what, params, idToken) => {
    const on = asking(params)
    op.misbehaviour.idToken = idToken
    await expectRefused(on, await on.tab.signIn('op'))
  })

  test.each<[string, Values, Draft]>([
    ['max_age with a recent auth_time', { max_age: 60 }, claim(() => ({ auth_time: now() - 30 }))],
    ['two acr_values with one of them', { acr_values: 'a b' }, claim({ acr: 'b' })],
  ])('is satisfied by %s', async (_what, params, idToken) => {
    const on = asking(params)
    op.misbehaviour.idToken = idToken
    await expectSignedIn(on, await on.tab.signIn('op'))
  })

  test.each<[string, string, Values, Draft]>([
    [
      'an older authentication',
      'max_age=86400',
      { max_age: 60 },
      claim(() => ({ auth_time: now() - 3 * 60 })),
    ],
    ['any authentication', 'max_age=', { max_age: 60 }, without('auth_time')],
    [
      'a weaker context',
      'acr_values=urn:password',
      { acr_values: 'urn:mfa' },
      claim({ acr: 'urn:password' }),
    ],
    ['any context', 'acr_values=', { acr_values: 'urn:mfa' }, without('acr')],
  ])('is not weakened by a browser that requests %s', async (_what, asked, params, idToken) => {
    const on = asking(params)
    op.misbehaviour.idToken = idToken
    const response = await on.tab.post(`signin/op?${asked}`)
    const answer = await op.authorize(response.headers.get('location') ?? '')
    await expectRefused(on, await on.tab.request(answer.url, { initiator: 'cross-site' }))
  })

  test('is validated if the browser requested it', async () => {
    const on = site(op)
    const response = await on.tab.post('signin/op?max_age=60')
    op.misbehaviour.idToken = claim(() => ({ auth_time: now() - 3 * 60 }))
    const answer = await op.authorize(response.headers.get('location') ?? '')
    await expectRefused(on, await on.tab.request(answer.url, { initiator: 'cross-site' }))
  })
})
