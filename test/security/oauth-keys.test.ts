import { exportJWK, generateKeyPair } from 'jose'
import type { JWK } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import type { Misbehaviour } from '../../src/testing/index.ts'
import { expectRefused, expectSignedIn, advanceDate, never, site, stopDate } from '../oauth.ts'
import { pass, stopClock, until } from '../sessions.ts'

const op = await issuer()

beforeEach(() => op.reset())
afterEach(() => vi.useRealTimers())

const HOUR = 3600

type Keys = NonNullable<Misbehaviour['jwks']>

async function strangeKeys(count: number, alg = 'ES256'): Promise<JWK[]> {
  const pairs = Array.from({ length: count }, async () =>
    exportJWK((await generateKeyPair(alg, { extractable: true })).publicKey),
  )
  return Promise.all(pairs)
}

const withoutKid: Misbehaviour['idToken'] = ({ claims }) => ({
  header: { kid: undefined },
  claims,
})

describe('the keys of a provider', () => {
  test('are read once from the jwks_uri of the metadata', async () => {
    const on = site(op)
    op.misbehaviour.discovery = (metadata) => ({ ...metadata, jwks_uri: `${op.url}/jwks?v=1` })
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(on.sent.filter(({ url }) => url.search === '?v=1')).toHaveLength(1)
  })

  test('can be configured instead of discovered', async () => {
    const endpoints = {
      authorization: `${op.url}/authorize`,
      token: `${op.url}/token`,
      jwks_endpoint: `${op.url}/jwks`,
    }
    const on = site(op, { provider: endpoints })
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(op.requests).toEqual({ discovery: 0, jwks: 1, token: 1, userinfo: 0 })
  })

  test('can be rotated between two sign-ins', async () => {
    const on = site(op)
    await expectSignedIn(on, await on.tab.signIn('op'))
    await op.rotateKeys()
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(op.requests.jwks).toBe(2)
  })

  test('can be rotated just before the token is signed', async () => {
    const on = site(op)
    await on.tab.signIn('op')
    const transaction = await on.tab.begin('op')
    const answer = await op.authorize(transaction.url)
    await op.rotateKeys()
    await expectSignedIn(on, await transaction.comeBack(answer))
  })

  test('are not requested repeatedly by tokens with an unknown kid', async () => {
    stopClock()
    const on = site(op)
    await on.tab.signIn('op')
    const real = op.requests.jwks
    let number = 0
    op.misbehaviour.idToken = ({ claims }) => ({ header: { kid: `unknown-${number++}` }, claims })
    const flood = async () => {
      for (let count = 0; count < 100; count++) await on.open().signIn('op')
    }
    await flood()
    expect(op.requests.jwks - real).toBe(1)
    await pass(29)
    await flood()
    expect(op.requests.jwks - real).toBe(1)
    await pass(1)
    await flood()
    expect(op.requests.jwks - real).toBe(2)
    expect(on.signedIn).toHaveLength(1)
    delete op.misbehaviour.idToken
    on.log.errors.length = 0
    await expectSignedIn(on, await on.tab.signIn('op'))
  })

  test('are all tried if the token has no kid', async () => {
    const on = site(op)
    op.misbehaviour.idToken = withoutKid
    await expectSignedIn(on, await on.tab.signIn('op'))
    const several = site(op)
    const strange = await strangeKeys(9, 'RS256')
    op.misbehaviour.jwks = ({ keys }) => ({ keys: [...strange, ...keys] })
    await expectSignedIn(several, await several.tab.signIn('op'))
    const many = site(op)
    strange.push(...strange)
    await expectRefused(many, await many.tab.signIn('op'))
  })

  test('are reloaded for a token without kid', async () => {
    const on = site(op)
    op.misbehaviour.idToken = withoutKid
    await on.tab.signIn('op')
    await op.rotateKeys()
    await expectSignedIn(on, await on.tab.signIn('op'))
  })

  test('beyond the fiftieth are ignored', async () => {
    const filler: JWK[] = await strangeKeys(49)
    const on = site(op)
    op.misbehaviour.jwks = ({ keys }) => ({ keys: [...filler, ...keys] })
    await expectSignedIn(on, await on.tab.signIn('op'))
    const more = site(op)
    filler.push(...filler.slice(0, 1))
    await expectRefused(more, await more.tab.signIn('op'))
  })
})

const secret: JWK = { kty: 'oct', k: 'c2VjcmV0IG9mIGEgcHJvdmlkZXIsIHB1Ymxpc2hlZA', kid: 'key-1' }

const unusable: readonly [string, Keys][] = [
  ['respond with 500', () => new Response(null, { status: 500 })],
  ['cannot be reached', () => Promise.reject(new TypeError('failed'))],
  ['are an empty list', () => ({ keys: [] })],
  ['are not a list', () => Response.json({ keys: {} })],
  ['are HTML', () => new Response('<p>maintenance</p>')],
  ['are more than 256 KiB', ({ keys }) => ({ keys: Array.from({ length: 5000 }, () => keys[0]) })],
]

describe('keys that', () => {
  test.each(unusable)('%s reject the sign-in, and the next one succeeds', async (_what, jwks) => {
    const on = site(op)
    op.misbehaviour.jwks = jwks
    await expectRefused(on, await on.tab.signIn('op'))
    delete op.misbehaviour.jwks
    on.log.errors.length = 0
    await expectSignedIn(on, await on.tab.signIn('op'))
  })

  test.each(unusable)('%s are replaced by the cached ones for a day', async (_what, jwks) => {
    stopDate()
    const on = site(op)
    await on.tab.signIn('op')
    op.misbehaviour.jwks = jwks
    for (const seconds of [11 * 60, 23 * HOUR]) {
      const asked = op.requests.jwks
      advanceDate(seconds)
      await expectSignedIn(on, await on.tab.signIn('op'))
      expect(op.requests.jwks).toBeGreaterThan(asked)
    }
    advanceDate(HOUR)
    const late = { ...on, tab: on.open() }
    await expectRefused(late, await late.tab.signIn('op'))
  })

  test('never arrive time out after five seconds', async () => {
    stopClock()
    const on = site(op)
    op.misbehaviour.jwks = never
    const pending = on.tab.signIn('op')
    await until(() => op.requests.jwks === 1)
    await vi.advanceTimersByTimeAsync(5000)
    const refusal = { type: 'TemporarilyUnavailable', page: 'error' } as const
    await expectRefused(on, await pending, refusal)
  })

  test.each<[string, Keys]>([
    ['are for encryption', ({ keys }) => ({ keys: keys.map((key) => ({ ...key, use: 'enc' })) })],
    [
      'are for another algorithm',
      ({ keys }) => ({ keys: keys.map((key) => ({ ...key, alg: 'PS256' })) }),
    ],
    ['are secrets', () => ({ keys: [secret] })],
    ['are not objects', () => ({ keys: ['key-1', null, 1] })],
    ['are incomplete', ({ keys }) => ({ keys: keys.map(({ n: _removed, ...key }) => key) })],
  ])('%s are not used', async (_what, jwks) => {
    const on = site(op)
    op.misbehaviour.jwks = jwks
    await expectRefused(on, await on.tab.signIn('op'))
  })

  test('are too short are ignored, and do not hide valid ones', async () => {
    const { publicKey, privateKey } = await crypto.subtle.generateKey(
      {
        name: 'RSASSA-PKCS1-v1_5',
        modulusLength: 1024,
        publicExponent: new Uint8Array([1, 0, 1]),
        hash: 'SHA-256',
      },
      true,
      ['sign', 'verify'],
    )
    const weak = { ...(await exportJWK(publicKey)), alg: 'RS256' }
    const on = site(op)
    op.misbehaviour.jwks = ({ keys }) => ({ keys: [weak, ...keys] })
    op.misbehaviour.idToken = withoutKid
    await expectSignedIn(on, await on.tab.signIn('op'))
    const other = site(op)
    op.misbehaviour.signed = async (token) => {
      const [, payload = ''] = token.split('.')
      const header = Buffer.from('{"alg":"RS256"}').toString('base64url')
      const bytes = new TextEncoder().encode(`${header}.${payload}`)
      const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', privateKey, bytes)
      return `${header}.${payload}.${Buffer.from(signature).toString('base64url')}`
    }
    await expectRefused(other, await other.tab.signIn('op'))
  })
})
