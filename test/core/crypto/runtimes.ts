import { hkdfSync } from 'node:crypto'
import { createKey, decrypt, encrypt } from '../../../src/core/crypto/cipher.ts'
import type {
  AcceptedEncryption,
  Bytes,
  CipherKey,
  CipherRuntime,
  EncryptionRuntime,
  KeySource,
} from '../../../src/core/crypto/cipher.ts'
import { node } from '../../../src/core/crypto/node.ts'
import { nodeEncryption, nodeRuntime } from '../../../src/core/crypto/node-runtime.ts'
import { webEncryption, webRuntime } from '../../../src/core/crypto/web-runtime.ts'

if (!node) throw new Error('These tests need node:crypto.')

function cipherOf(runtime: CipherRuntime & EncryptionRuntime) {
  return {
    derive: async (source: KeySource) => createKey(runtime, await runtime.derive(source)),
    fromBytes: (bytes: Bytes) => createKey(runtime, bytes),
    encrypt: (key: CipherKey, plaintext: string) => encrypt(runtime, key, plaintext),
    decrypt: (key: CipherKey, token: string, accepted?: AcceptedEncryption) =>
      decrypt(runtime, { key, token, ...(accepted && { accepted }) }),
  }
}

/** Both cipher implementations, by runtime. */
export const ciphers = [
  ['node:crypto', cipherOf({ ...nodeRuntime(node), ...nodeEncryption(node) })],
  ['WebCrypto', cipherOf({ ...webRuntime, ...webEncryption })],
] as const

/** The key of a secret and a salt, derived without code of the library. */
export function derivedKey(
  secret: string,
  salt: string,
  { length = 64, family = 'own' }: { length?: number; family?: 'own' | 'next-auth' } = {},
): Uint8Array<ArrayBuffer> {
  const info = `${family === 'own' ? 'Lib' : 'Auth.js'} Generated Encryption Key (${salt})`
  return new Uint8Array(hkdfSync('sha256', secret, salt, info, length))
}
