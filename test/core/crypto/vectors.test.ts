import { expect, describe, test } from 'vitest'
import { bitLength } from '../../../src/core/crypto/cipher.ts'
import { ciphers } from './runtimes.ts'

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
const base64url = (text: string) => Buffer.from(text, 'hex').toString('base64url')

/** RFC 7518, Appendix B.3: AES_256_CBC_HMAC_SHA_512. */
const B3 = {
  key: Uint8Array.from({ length: 64 }, (_, index) => index),
  plaintext:
    'A cipher system must not be required to be secret, and it must be able to fall into the hands of the enemy without inconvenience',
  aad: 'The second principle of Auguste Kerckhoffs',
  iv: '1af38c2dc2b96ffdd86694092341bc04',
  ciphertext:
    '4affaaadb78c31c5da4b1b590d10ffbd3dd8d5d302423526912da037ecbcc7bd' +
    '822c301dd67c373bccb584ad3e9279c2e6d12a1374b77f077553df829410446b' +
    '36ebd97066296ae6427ea75c2e0846a11a09ccf5370dc80bfecbad28c73f09b3' +
    'a3b75e662a2594410ae496b2e2e6609e31e6e02cc837f053d21f37ff4f51950b' +
    'be2638d09dd7a4930930806d0703b1f6',
  tag: '4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5',
}

/** Tokens of another implementation with the secret "secret", and their keys. */
const SECRET = 'secret'
const SALT = 'authjs.session-token'
const others = [
  {
    salt: SALT,
    key: 'b1ef6cdd915c44c0a71232574a6a70546a5e16d12bb38df4638e3b96bdd32025131e90695ff072a9d148f1511c7a4981a85b63a628311da1fa7ccfc49c47c2bb',
    kid: '7x9DUMVaEU6giab0l0OWDt4e4SsRH_cbwMof2EzEyy6onK5o8xSPPB799RVoqm2v6z674kQCv9jom2T8S-a1dQ',
  },
  {
    salt: `__Secure-${SALT}`,
    key: '0d8bf2d720367891eda6b7cc8f1960cf3fac4c0e5972e05c0ea71f835d01d69a60b8d258a71a473d46b0eec5ed3dfe45a7bcfbe54ccfa14f50206f3af0f777f5',
    kid: '7E3YIGAxRtn6djTGy1UjZrFvXELHKzM9vfWl0nQ4b88EsnrmmX0grN0VKis7G3fjgB626TXm_lEtBG1N0E7Xyg',
  },
]
const tokens = {
  'A256CBC-HS512 with a kid':
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiN3g5RFVNVmFFVTZnaWFiMGwwT1dEdDRlNFNzUkhfY2J3TW9mMkV6RXl5Nm9uSzVvOHhTUFBCNzk5UlZvcW0ydjZ6Njc0a1FDdjlqb20yVDhTLWExZFEifQ..w1p73KzkHfoBt63NGyDc7Q.Q2g3DkiQuQxHxIwSp7PuqSliInyMfEh5YlkQc2HTnA8.jcxRxeafsXn4TuTv1d8MlSVKHuy2Hnhxp-VGFCQkLMg',
  'A256GCM without a kid':
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..xDa_Yd4fHhJrMmUQ.FseKqG3iMfxgdJn1QYyEFlRJmHVOehQJEw.ZQm22DwzNQTWBz_i7zykTA',
}

describe.each(ciphers)('with %s', (_runtime, cipher) => {
  /** Opens a vector: its additional data stand where tokens have their header. */
  async function open({ key, aad, iv, ciphertext, tag }: typeof B3): Promise<string | null> {
    const made = { ...(await cipher.fromBytes(key)), header: aad }
    const token = `${aad}..${base64url(iv)}.${base64url(ciphertext)}.${base64url(tag)}`
    return cipher.decrypt(made, token)
  }

  test('decrypts the vector of RFC 7518 B.3', async () => {
    expect(await open(B3)).toBe(B3.plaintext)
  })

  test.each(['aad', 'iv', 'ciphertext', 'tag'] as const)(
    'rejects the vector with another %s',
    async (part) => {
      const changed = B3[part].replace(/^./, (first) => (first === '1' ? '2' : '1'))
      expect(await open({ ...B3, [part]: changed })).toBeNull()
    },
  )

  test('encodes the length of the authenticated data in bits, in eight bytes', () => {
    expect(Buffer.from(bitLength(B3.aad)).toString('hex')).toBe('0000000000000150')
  })

  test.each(others)(
    'derives the key of other implementations for $salt',
    async ({ salt, key, kid }) => {
      // The kid is a hash over all 64 bytes, so equal ones mean equal keys.
      const info = `Auth.js Generated Encryption Key (${salt})`
      const derived = await cipher.derive({ secret: SECRET, salt, info })
      expect(derived.kid).toBe(kid)
      expect((await cipher.fromBytes(hex(key))).kid).toBe(kid)
      const header = { alg: 'dir', enc: 'A256CBC-HS512', kid }
      expect(JSON.parse(Buffer.from(derived.header, 'base64url').toString())).toEqual(header)
    },
  )

  test.each(Object.entries(tokens))(
    'decrypts a token of another implementation: %s',
    async (_name, token) => {
      const info = `Auth.js Generated Encryption Key (${SALT})`
      const key = await cipher.derive({ secret: SECRET, salt: SALT, info })
      const text = await cipher.decrypt(key, token, 'any')
      expect(JSON.parse(text ?? 'null')).toEqual({ name: 'Vec', sub: '42' })
    },
  )

  test('another info text derives another key', async () => {
    const info = `Lib Generated Encryption Key (${SALT})`
    const key = await cipher.derive({ secret: SECRET, salt: SALT, info })
    expect(key.kid).not.toBe(others[0]?.kid)
    for (const token of Object.values(tokens))
      expect(await cipher.decrypt(key, token, 'any')).toBeNull()
  })
})
