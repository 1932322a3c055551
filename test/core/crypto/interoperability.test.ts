import * as fc from 'fast-check'
import { calculateJwkThumbprint, CompactEncrypt, EncryptJWT, jwtDecrypt } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Claims } from '../../../src/core/crypto/seal.ts'
import { open, seal } from '../../../src/core/crypto/seal.ts'
import { ciphers, derivedKey } from './runtimes.ts'

/** Registered claims, which `seal` sets or other implementations validate, and `__proto__`, which `seal` leaves out. */
const EXCLUDED = new Set(['iat', 'exp', 'jti', 'nbf', 'iss', 'aud', 'sub', '__proto__'])

const secrets = fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' })
const salts = fc.string({ minLength: 1, maxLength: 80 })
const claims = fc
  .dictionary(
    fc.string({ unit: 'grapheme' }).filter((name) => !EXCLUDED.has(name)),
    fc.jsonValue(),
    { noNullPrototype: true },
  )
  .map((value): Claims => JSON.parse(JSON.stringify(value)))

/** The claims without those that `seal` adds. */
function content({ iat: _iat, exp: _exp, jti: _jti, ...rest }: Claims): Claims {
  return rest
}

describe('with another implementation of JOSE', () => {
  test('our tokens are decrypted', async () => {
    await fc.assert(
      fc.asyncProperty(secrets, salts, claims, async (secret, salt, given) => {
        const token = await seal(given, { secrets: [secret], salt, maxAge: 60 })
        const { payload, protectedHeader } = await jwtDecrypt(token, derivedKey(secret, salt), {
          contentEncryptionAlgorithms: ['A256CBC-HS512'],
          keyManagementAlgorithms: ['dir'],
        })
        expect(content(payload)).toEqual(given)
        expect(payload.exp).toBe((payload.iat ?? 0) + 60)
        const k = Buffer.from(derivedKey(secret, salt)).toString('base64url')
        const kid = await calculateJwkThumbprint({ kty: 'oct', k }, 'sha512')
        expect(protectedHeader).toEqual({ alg: 'dir', enc: 'A256CBC-HS512', kid })
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['A256CBC-HS512', 'own'],
    ['A256CBC-HS512', 'next-auth'],
    ['A256GCM', 'next-auth'],
  ] as const)('its tokens with %s are accepted', async (enc, family) => {
    const length = enc === 'A256GCM' ? 32 : 64
    await fc.assert(
      fc.asyncProperty(secrets, salts, claims, async (secret, salt, given) => {
        const token = await new EncryptJWT(given)
          .setProtectedHeader({ alg: 'dir', enc })
          .setExpirationTime('1m')
          .encrypt(derivedKey(secret, salt, { length, family }))
        const opened = await open(token, { secrets: [secret], salt, family })
        expect(opened && content(opened)).toEqual(given)
      }),
      { numRuns: 60 },
    )
  })

  test.each(ciphers)('any text is encrypted and decrypted with %s', async (_runtime, cipher) => {
    const key = await cipher.fromBytes(derivedKey('secret', 'salt'))
    const raw = derivedKey('secret', 'salt')
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 300 }), async (text) => {
        expect(await cipher.decrypt(key, await cipher.encrypt(key, text))).toBe(text)
        const token = await new CompactEncrypt(new TextEncoder().encode(text))
          .setProtectedHeader({ alg: 'dir', enc: 'A256CBC-HS512' })
          .encrypt(raw)
        expect(await cipher.decrypt(key, token)).toBe(text)
      }),
      { numRuns: 60 },
    )
  })

  test('each of the two ciphers decrypts tokens of the other', async () => {
    const [[, first], [, second]] = ciphers
    const bytes = derivedKey('secret', 'salt')
    const [one, other] = [await first.fromBytes(bytes), await second.fromBytes(bytes)]
    expect(await second.decrypt(other, await first.encrypt(one, 'text'))).toBe('text')
    expect(await first.decrypt(one, await second.encrypt(other, 'text'))).toBe('text')
  })
})
