import nodeCrypto from 'node:crypto'
import * as fc from 'fast-check'
import { CompactEncrypt, CompactSign, EncryptJWT, UnsecuredJWT } from 'jose'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { open } from '../../../src/core/crypto/seal.ts'
import { ciphers, derivedKey } from './runtimes.ts'

const SECRET = 'a secret for tests, long enough to be accepted'
const SALT = 'salt'
/** Three blocks: a whole number of base64url quads, to which a character could be added. */
const TEXT = '{"sub":"42","name":"Ada","exp":9999999999}'
const BASE64URL = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
/** Characters with a meaning in tokens or in other alphabets, or with none. */
const OTHERS = ['.', '+', '/', '=', ' ', '\n', '%', '~', '\u0000', 'é']

const bytes = new TextEncoder().encode(TEXT)
const key = derivedKey(SECRET, SALT)
const utf8 = (text: string) => new TextEncoder().encode(text)
const encode = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url')

describe.each(ciphers)('with %s', (_runtime, cipher) => {
  const own = cipher.fromBytes(key)
  const sealOwn = async () => cipher.encrypt(await own, TEXT)

  test('rejects a token with any changed character', async () => {
    const token = await sealOwn()
    for (const at of Array.from(token).keys()) {
      const offset = (at * 7) % BASE64URL.length
      const characters = [...BASE64URL.slice(offset, offset + 3), ...OTHERS]
      for (const character of characters) {
        const changed = token.slice(0, at) + character + token.slice(at + 1)
        const text = await cipher.decrypt(await own, changed)
        expect(text).toBe(changed === token ? TEXT : null)
      }
    }
  })

  // The iv has 16 bytes, the tag 32, and the ciphertext 16, 32 or 48: each length modulo 3.
  test.each(['', 'a text of 2 blocks', 'a text that takes 3 blocks of 16'])(
    'rejects every other last character of a part, whose unused bits decode to the same bytes: %j',
    async (text) => {
      const parts = (await cipher.encrypt(await own, text)).split('.')
      for (const at of [0, 2, 3, 4]) {
        const part = parts[at] ?? ''
        for (const character of [...BASE64URL, ...OTHERS, '\u0141', '\u{1f600}']) {
          const changed = part.slice(0, -1) + character
          const opened = await cipher.decrypt(await own, parts.with(at, changed).join('.'))
          expect(opened).toBe(changed === part ? text : null)
        }
        for (const padding of ['=', '==', 'A', 'AA'])
          expect(
            await cipher.decrypt(await own, parts.with(at, part + padding).join('.')),
          ).toBeNull()
      }
    },
  )

  test('rejects characters outside of ASCII whose low byte is one of base64url', async () => {
    const parts = (await sealOwn()).split('.')
    for (const at of [2, 3, 4]) {
      const wide = Array.from(parts[at] ?? '', (each) =>
        String.fromCharCode(256 + each.charCodeAt(0)),
      )
      expect(await cipher.decrypt(await own, parts.with(at, wide.join('')).join('.'))).toBeNull()
    }
  })

  test('rejects a token with an inserted or removed character', async () => {
    const token = await sealOwn()
    for (const at of Array.from(`${token}.`).keys()) {
      if (at < token.length)
        expect(await cipher.decrypt(await own, token.slice(0, at) + token.slice(at + 1))).toBeNull()
      for (const character of ['A', ...OTHERS]) {
        const changed = token.slice(0, at) + character + token.slice(at)
        expect(await cipher.decrypt(await own, changed)).toBeNull()
      }
    }
  })

  test('rejects parts of two tokens', async () => {
    const [one, other] = [(await sealOwn()).split('.'), (await sealOwn()).split('.')]
    for (const part of [2, 3, 4]) {
      const mixed = one.with(part, other[part] ?? '').join('.')
      expect(await cipher.decrypt(await own, mixed)).toBeNull()
    }
  })

  test('rejects any text that is not a token without an exception', async () => {
    const made = await own
    const part = fc.string({ unit: fc.constantFrom(...BASE64URL, ...OTHERS), maxLength: 60 })
    const parts = fc.array(part, { minLength: 1, maxLength: 6 }).map((all) => all.join('.'))
    const headed = parts.map((rest) => `${made.header}..${rest}`)
    const text = fc.oneof(parts, headed, fc.string({ unit: 'binary' }))
    await fc.assert(
      fc.asyncProperty(text, async (token) => {
        expect(await cipher.decrypt(made, token)).toBeNull()
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['compression (RFC 7516 §4.1.3)', { alg: 'dir', enc: 'A256CBC-HS512', zip: 'DEF' }],
    [
      'critical extensions (RFC 7516 §4.1.13)',
      { alg: 'dir', enc: 'A256CBC-HS512', crit: ['b64'], b64: true },
    ],
    ['an empty list of critical extensions', { alg: 'dir', enc: 'A256CBC-HS512', crit: [] }],
    ['the kid of another key', { alg: 'dir', enc: 'A256CBC-HS512', kid: 'another' }],
    ['another content encryption', { alg: 'dir', enc: 'A128CBC-HS256' }],
    ['no content encryption', { alg: 'dir' }],
    ['another key management', { alg: 'A256KW', enc: 'A256CBC-HS512' }],
    ['no key management', { enc: 'A256CBC-HS512' }],
    ['alg in capitals', { alg: 'DIR', enc: 'A256CBC-HS512' }],
    ['a header that is a list', [{ alg: 'dir', enc: 'A256CBC-HS512' }]],
  ])('rejects a header with %s', async (_what, changed) => {
    // Correctly authenticated: only the content of the header differs.
    const made = await own
    const forger = { ...made, header: encode(changed) }
    const token = await cipher.encrypt(forger, TEXT)
    expect(await cipher.decrypt(forger, token)).toBe(TEXT)
    expect(await cipher.decrypt(made, token)).toBeNull()
  })

  test('decrypts GCM only where it is accepted, with the lengths of RFC 7518 §5.3', async () => {
    const token = await new CompactEncrypt(bytes)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(derivedKey(SECRET, SALT, { length: 32 }))
    expect(await cipher.decrypt(await own, token)).toBeNull()
    expect(await cipher.decrypt(await own, token, 'any')).toBe(TEXT)
    const [start = '', , iv = '', text = '', tag = ''] = token.split('.')
    const short = Buffer.from(tag, 'base64url').subarray(0, 4).toString('base64url')
    const long = Buffer.concat([Buffer.from(iv, 'base64url'), Buffer.alloc(4)])
    for (const changed of [
      [start, '', iv, text, short],
      [start, '', long.toString('base64url'), text, tag],
      [start, '', iv, '', tag],
      [start, 'AAAA', iv, text, tag],
    ])
      expect(await cipher.decrypt(await own, changed.join('.'), 'any')).toBeNull()
  })
})

/** Records the calls of functions that compute a key, a MAC or a plaintext. */
function spyOnCrypto(): () => number {
  const node = ['createHmac', 'createDecipheriv', 'hkdfSync', 'pbkdf2', 'pbkdf2Sync'] as const
  const web = ['sign', 'decrypt', 'deriveBits', 'deriveKey', 'importKey'] as const
  const spies = [
    ...node.map((name) => vi.spyOn(nodeCrypto, name)),
    ...web.map((name) => vi.spyOn(crypto.subtle, name)),
  ]
  return () => spies.reduce((count, spy) => count + spy.mock.calls.length, 0)
}

afterEach(() => {
  vi.restoreAllMocks()
})

const header = { alg: 'dir', enc: 'A256CBC-HS512' }
const password = { alg: 'PBES2-HS512+A256KW', enc: 'A256CBC-HS512', p2c: 2 ** 31, p2s: 'AAAA' }
const secret = utf8(SECRET)
const exp = 9_999_999_999

describe.each(ciphers)('a token of another kind, with %s,', (_runtime, cipher) => {
  test.each<[string, () => Promise<string> | string]>([
    [
      'a signature under the same secret',
      () => new CompactSign(bytes).setProtectedHeader({ alg: 'HS256' }).sign(secret),
    ],
    [
      'a signature under the derived key',
      () => new CompactSign(bytes).setProtectedHeader({ alg: 'HS512' }).sign(key),
    ],
    ['a token without a signature', () => new UnsecuredJWT({ sub: '42', exp }).encode()],
    ['alg: none in five parts', () => `${encode({ alg: 'none', enc: 'none' })}..AAAA.AAAA.AAAA`],
    ['a key derived from a password', () => `${encode(password)}.AAAA.AAAA.AAAA.AAAA`],
    [
      'a key derived from a password, without an encrypted key',
      () => `${encode(password)}..AAAA.AAAA.AAAA`,
    ],
    ['nothing', () => ''],
    ['dots', () => '.'.repeat(10_000)],
    ['a long token', () => `${encode(header)}..${'A'.repeat(200_000)}.AAAA.AAAA`],
    ['a long header', () => `${'A'.repeat(200_000)}..AAAA.AAAA.AAAA`],
  ])('is rejected before any cryptographic operation: %s', async (_what, make) => {
    const own = await cipher.fromBytes(key)
    const [token, valid] = [await make(), await cipher.encrypt(own, TEXT)]
    const operations = spyOnCrypto()
    expect(await cipher.decrypt(own, token, 'any')).toBeNull()
    expect(operations()).toBe(0)
    expect(await cipher.decrypt(own, valid)).toBe(TEXT)
    expect(operations()).toBeGreaterThan(1)
  })
})

describe('a token that contains no claims under this key', () => {
  test.each<[string, () => Promise<string>]>([
    [
      'encrypted with the secret itself',
      () =>
        new EncryptJWT({ sub: '42', exp })
          .setProtectedHeader(header)
          .encrypt(Buffer.concat([secret, secret]).subarray(0, 64)),
    ],
    ['a payload that is not an object', () => encryptedText('[1]')],
    ['a payload that is not JSON', () => encryptedText('sub=42')],
    ['the payload null', () => encryptedText('null')],
  ])('is rejected: %s', async (_what, make) => {
    expect(await open(await make(), { secrets: [SECRET], salt: SALT })).toBeNull()
  })

  function encryptedText(text: string): Promise<string> {
    return new CompactEncrypt(utf8(text)).setProtectedHeader(header).encrypt(key)
  }
})
