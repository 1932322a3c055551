import * as fc from 'fast-check'
import { CompactEncrypt } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  equalText,
  hmac,
  sha256,
  fromBase64Url,
  toBase64Url,
  toHex,
  randomBase64Url,
} from '../../../src/core/crypto/digest.ts'
import { open, seal } from '../../../src/core/crypto/seal.ts'
import { derivedKey } from './runtimes.ts'

const OLD = 'the old secret, long enough to be accepted'
const NEW = 'the new secret, long enough to be accepted'
const SALT = 'lib.session-token'
const NOW = new Date('2030-01-01T00:00:00Z')
const NOW_SECONDS = NOW.getTime() / 1000

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a list of secrets', () => {
  const make = (secrets: readonly string[]) =>
    seal({ sub: '1' }, { secrets, salt: SALT, maxAge: 60 })

  test('encrypts with the first one', async () => {
    const token = await make([NEW, OLD])
    expect(await open(token, { secrets: [NEW], salt: SALT })).toMatchObject({ sub: '1' })
    expect(await open(token, { secrets: [OLD], salt: SALT })).toBeNull()
  })

  test.each([
    ['first', [OLD, NEW]],
    ['last', [NEW, OLD]],
    ['in the middle', ['one more', OLD, 'another']],
  ])('decrypts a token if its secret is listed %s', async (_where, secrets) => {
    expect(await open(await make([OLD]), { secrets, salt: SALT })).toMatchObject({ sub: '1' })
  })

  test('rejects a token whose secret was removed, and any token without secrets', async () => {
    const token = await make([OLD])
    expect(await open(token, { secrets: [NEW], salt: SALT })).toBeNull()
    expect(await open(token, { secrets: [], salt: SALT })).toBeNull()
  })

  test('decrypts a token without a kid under any of them', async () => {
    const token = await new CompactEncrypt(new TextEncoder().encode('{"sub":"1"}'))
      .setProtectedHeader({ alg: 'dir', enc: 'A256CBC-HS512' })
      .encrypt(derivedKey(OLD, SALT))
    expect(await open(token, { secrets: [NEW, OLD], salt: SALT })).toEqual({ sub: '1' })
  })
})

test('a value sealed for one purpose cannot be opened for another', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.string(), async (one, other) => {
      const token = await seal({}, { secrets: [NEW], salt: one, maxAge: 60 })
      const opened = await open(token, { secrets: [NEW], salt: other })
      expect(opened !== null).toBe(one === other)
    }),
    { numRuns: 50 },
  )
})

test('moving characters between secret and salt derives another key', async () => {
  const token = await seal({}, { secrets: ['secret one'], salt: 'two', maxAge: 60 })
  expect(await open(token, { secrets: ['secret '], salt: 'onetwo' })).toBeNull()
  expect(await open(token, { secrets: ['secret onetwo'], salt: '' })).toBeNull()
})

describe('times', () => {
  const rest = { secrets: [NEW], salt: SALT }

  test('iat and exp are set, even if the claims contain them', async () => {
    const given = { sub: '1', iat: 1, exp: 2, jti: 'mine' }
    const claims = await open(await seal(given, { ...rest, maxAge: 60 }), rest)
    expect(claims).toEqual({
      sub: '1',
      iat: NOW_SECONDS,
      exp: NOW_SECONDS + 60,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(given).toEqual({ sub: '1', iat: 1, exp: 2, jti: 'mine' })
  })

  test('two tokens of the same claims differ', async () => {
    const make = () => seal({ sub: '1' }, { ...rest, maxAge: 60 })
    const [one, other] = [await make(), await make()]
    expect(one).not.toBe(other)
    const ids = [await open(one, rest), await open(other, rest)].map((claims) => claims?.['jti'])
    expect(ids[0]).not.toBe(ids[1])
  })

  test.each([
    [0, true],
    [59, true],
    [60, true],
    [74, true],
    [75, false],
    [76, false],
    [1_000_000, false],
  ])('a token of 60 seconds is accepted after %i seconds: %s', async (seconds, opens) => {
    const token = await seal({}, { ...rest, maxAge: 60 })
    vi.setSystemTime(NOW.getTime() + seconds * 1000)
    expect((await open(token, rest)) !== null).toBe(opens)
  })

  test.each([
    [{ nbf: NOW_SECONDS + 15 }, true],
    [{ nbf: NOW_SECONDS + 16 }, false],
    [{ nbf: 'soon' }, false],
    [{ nbf: null }, false],
    [{ exp: String(NOW_SECONDS + 60) }, false],
    [{ exp: null }, false],
    [{ exp: NOW_SECONDS - 14 }, true],
    [{ exp: NOW_SECONDS - 15 }, false],
    [{}, true],
  ])('a token with %j is accepted: %s', async (claims, opens) => {
    const token = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'dir', enc: 'A256CBC-HS512' })
      .encrypt(derivedKey(NEW, SALT))
    expect((await open(token, rest)) !== null).toBe(opens)
  })

  test('tokens are valid after 2038', async () => {
    vi.setSystemTime(new Date('2040-01-01T00:00:00Z'))
    const claims = await open(await seal({}, { ...rest, maxAge: 60 }), rest)
    expect(claims).toMatchObject({ iat: Date.parse('2040-01-01T00:00:00Z') / 1000 })
  })
})

describe('digests', () => {
  test('SHA-256 (FIPS 180-4, "abc")', async () => {
    const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    expect(await sha256('abc', 'hex')).toBe(hash)
    expect(await sha256('abc', 'base64url')).toBe(Buffer.from(hash, 'hex').toString('base64url'))
  })

  test('a MAC depends on the text, the secret and the purpose', async () => {
    const codes = await Promise.all([
      hmac('text', { secret: NEW, purpose: 'csrf' }),
      hmac('text', { secret: NEW, purpose: 'csrf-cookie' }),
      hmac('text', { secret: OLD, purpose: 'csrf' }),
      hmac('other', { secret: NEW, purpose: 'csrf' }),
      hmac('-cookie.text', { secret: NEW, purpose: 'csrf' }),
      hmac('cookie.text', { secret: NEW, purpose: 'csrf' }),
    ])
    expect(new Set(codes).size).toBe(codes.length)
    for (const code of codes) expect(code).toMatch(/^[0-9a-f]{64}$/)
  })

  test('equalText compares whole texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(equalText(a, b)).toBe(a === b)
        expect(equalText(a, a)).toBe(true)
        expect(equalText(`${a}x`, `${a}y`)).toBe(false)
      }),
    )
  })

  test('base64url is encoded and decoded, and no other alphabet is accepted', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const text = toBase64Url(bytes)
        expect(text).toBe(Buffer.from(bytes).toString('base64url'))
        expect(fromBase64Url(text)).toEqual(new Uint8Array(bytes))
        expect(toHex(bytes)).toBe(Buffer.from(bytes).toString('hex'))
      }),
    )
    for (const text of ['A', 'AA=', 'AA==', 'A+A', 'A/A', 'A A', 'AA\n', 'é'])
      expect(fromBase64Url(text)).toBeNull()
  })

  test('random values have 256 bits and do not repeat', () => {
    const values = Array.from({ length: 1000 }, () => randomBase64Url())
    expect(new Set(values).size).toBe(1000)
    expect(randomBase64Url()).toMatch(/^[\w-]{43}$/)
  })
})
