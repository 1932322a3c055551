import { hkdfSync } from 'node:crypto'
import { webCipher } from '../../../src/core/crypto/cipher.ts'
import type { Cipher } from '../../../src/core/crypto/cipher.ts'
import { node } from '../../../src/core/crypto/node.ts'
import { nodeCipher } from '../../../src/core/crypto/node-cipher.ts'

if (!node) throw new Error('These tests need node:crypto.')

/** Both cipher implementations, by runtime. */
export const ciphers: readonly (readonly [string, Cipher])[] = [
  ['node:crypto', nodeCipher(node)],
  ['WebCrypto', webCipher],
]

/** The key of a secret and a salt, derived without code of the library. */
export function derivedKey(
  secret: string,
  salt: string,
  { length = 64, family = 'own' }: { length?: number; family?: 'own' | 'next-auth' } = {},
): Uint8Array<ArrayBuffer> {
  const info = `${family === 'own' ? 'Lib' : 'Auth.js'} Generated Encryption Key (${salt})`
  return new Uint8Array(hkdfSync('sha256', secret, salt, info, length))
}
