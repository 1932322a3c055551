import { CompactSign, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import type { Issuer, IssuerOptions, Values } from '../../src/testing/index.ts'
import { expectRefused, expectSignedIn, site } from '../oauth.ts'

const op = await issuer()

beforeEach(() => op.reset())

const partsOf = (token: string) => token.split('.') as [string, string, string]
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claimsOf = (token: string): Values =>
  JSON.parse(Buffer.from(partsOf(token)[1], 'base64url').toString())
const hmac = (key: string, alg: string) => (token: string) =>
  new SignJWT(claimsOf(token))
    .setProtectedHeader({ alg, kid: 'key-1' })
    .sign(new TextEncoder().encode(key))

function withSignature(change: (signature: string) => string) {
  return (token: string) => {
    const [header, payload, signature] = partsOf(token)
    return `${header}.${payload}.${change(signature)}`
  }
}

const ALGORITHMS: NonNullable<IssuerOptions['algorithm']>[] = ['RS256', 'PS256', 'ES256', 'EdDSA']

describe.each(ALGORITHMS)('an ID token signed with %s', (algorithm) => {
  let signer: Issuer
  let thief: Issuer

  beforeEach(async () => {
    signer ??= await issuer({ algorithm })
    thief ??= await issuer({ algorithm })
    signer.reset()
  })

  test('by a key of the provider is accepted', async () => {
    const on = site(signer)
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(signer.requests.jwks).toBe(1)
  })

  test.each<[string, (token: string) => string | Promise<string>]>([
    ['by a key of another provider with the same kid', (token) => thief.sign(claimsOf(token))],
    ['and then changed', (token) => token.replace(/\.[^.]+\./, `.${encode({ sub: 'victim' })}.`)],
    ['and garbage in place of the signature', withSignature(() => 'Z2FyYmFnZQ')],
    ['and nothing in place of the signature', withSignature(() => '')],
    [
      'and one character of the signature changed',
      withSignature((signature) => (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)),
    ],
    [
      'and the header of an unsigned token',
      (token) => `${encode({ alg: 'none' })}.${partsOf(token)[1]}.`,
    ],
  ])('%s is rejected', async (_what, signed) => {
    const on = site(signer)
    signer.misbehaviour.signed = signed
    await expectRefused(on, await on.tab.signIn('op'))
  })
})

describe('an ID token', () => {
  test('without a signature is rejected even if the provider announces it', async () => {
    const on = site(op)
    op.misbehaviour.discovery = (metadata) => ({
      ...metadata,
      id_token_signing_alg_values_supported: ['none', 'RS256'],
    })
    op.misbehaviour.signed = (token) => `${encode({ alg: 'none' })}.${partsOf(token)[1]}.`
    await expectRefused(on, await on.tab.signIn('op'))
  })

  test.each([
    ['announces RS256', ['RS256']],
    ['announces HS256 too', ['HS256', 'RS256']],
    ['announces HS256 alone', ['HS256']],
    ['announces nothing', undefined],
  ])('signed with the client secret is rejected if the provider %s', async (_what, announced) => {
    const on = site(op)
    op.misbehaviour.discovery = (metadata) => ({
      ...metadata,
      id_token_signing_alg_values_supported: announced,
    })
    op.misbehaviour.signed = hmac(op.clientSecret, 'HS256')
    await expectRefused(on, await on.tab.signIn('op'))
  })

  test('signed with the public key as a secret is rejected', async () => {
    const { keys } = (await (await op.fetch(`${op.url}/jwks`)).json()) as { keys: Values[] }
    for (const key of [JSON.stringify(keys[0]), String(keys[0]?.['n'])]) {
      const on = site(op, { provider: { client: { id_token_signed_response_alg: 'HS256' } } })
      op.misbehaviour.signed = hmac(key, 'HS256')
      await expectRefused(on, await on.tab.signIn('op'))
    }
  })

  test('signed with the client secret is accepted if the client is registered for it', async () => {
    const on = site(op, { provider: { client: { id_token_signed_response_alg: 'HS256' } } })
    op.misbehaviour.signed = hmac(op.clientSecret, 'HS256')
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(op.requests.jwks).toBe(0)
  })

  test.each(['HS256', 'HS512'])('signed with %s is rejected for another secret', async (alg) => {
    const on = site(op, { provider: { client: { id_token_signed_response_alg: alg } } })
    op.misbehaviour.signed = hmac(`${op.clientSecret}, or so`.padEnd(64), alg)
    await expectRefused(on, await on.tab.signIn('op'))
  })

  test.each([
    ['the client is registered for RS256', ['ES256', 'RS256'], 'RS256'],
    ['the provider announces RS256 alone', ['RS256'], undefined],
  ])('signed with ES256 is rejected if %s', async (_what, announced, registered) => {
    const signer = await issuer({ algorithm: 'ES256' })
    const client = registered ? { client: { id_token_signed_response_alg: registered } } : {}
    const on = site(signer, { provider: client })
    signer.misbehaviour.discovery = (metadata) => ({
      ...metadata,
      id_token_signing_alg_values_supported: announced,
    })
    await expectRefused(on, await on.tab.signIn('op'))
  })

  test('cannot contain the key to verify it with', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), kid: 'mine', alg: 'RS256' }
    const elsewhere = 'https://evil.example/keys'
    for (const header of [{ jwk }, { jku: elsewhere }, { x5u: elsewhere }, { x5c: ['MII'] }]) {
      const on = site(op)
      op.misbehaviour.signed = (token) =>
        new SignJWT(claimsOf(token))
          .setProtectedHeader({ alg: 'RS256', kid: 'mine', ...header })
          .sign(privateKey)
      await expectRefused(on, await on.tab.signIn('op'))
      expect(on.sent.filter(({ url }) => url.host !== 'issuer.test')).toEqual([])
    }
  })

  test('can contain such headers if a key of the provider signed it', async () => {
    const on = site(op)
    op.misbehaviour.idToken = ({ claims }) => ({
      header: { jku: 'https://evil.example/keys' },
      claims,
    })
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(on.sent.filter(({ url }) => url.host !== 'issuer.test')).toEqual([])
  })

  test.each([
    ['an unknown critical extension is rejected', ['x'], expectRefused],
    ['an unknown extension that is not critical is accepted', undefined, expectSignedIn],
  ])('with %s', async (_what, crit, expected) => {
    const on = site(op)
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), kid: 'mine' }
    op.misbehaviour.jwks = () => ({ keys: [jwk] })
    op.misbehaviour.signed = (token) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(claimsOf(token))))
        .setProtectedHeader({ alg: 'RS256', kid: 'mine', x: true, ...(crit && { crit }) })
        .sign(privateKey, { crit: { x: true } })
    await expected(on, await on.tab.signIn('op'))
  })
})
