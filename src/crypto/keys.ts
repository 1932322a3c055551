import { setBounded } from '../cache.ts'
import type { Awaitable } from '../types.ts'
import type { Cipher, CipherKey } from './cipher.ts'
import { nodeCipher } from './node-cipher.ts'
import { node } from './node.ts'
import { webCipher } from './web-cipher.ts'

export const cipher: Cipher = node ? nodeCipher(node) : webCipher

/** Session tokens, other sealed values of this library, and migrated session tokens. */
export type KeyFamily = 'own' | 'internal' | 'next-auth'

/**
 * Prefixes of the HKDF info (RFC 5869 §2.3), which separate the families. The salt of a session token is a cookie name
 * that the application chooses, so it could equal the salt of an internal value.
 */
const INFO: Readonly<Record<KeyFamily, string>> = {
  own: 'Lib Generated Encryption Key',
  internal: 'Lib Internal Encryption Key',
  'next-auth': 'Auth.js Generated Encryption Key',
}

type KeysBySecret = Map<string, Map<string, Awaitable<CipherKey>>>

/** Cache, because a key derivation costs as much as ten decryptions. */
const derived: Readonly<Record<KeyFamily, KeysBySecret>> = {
  own: new Map(),
  internal: new Map(),
  'next-auth': new Map(),
}
const MAX_SECRETS = 100
const MAX_SALTS = 100

export function keyFor(
  secret: string,
  salt: string,
  family: KeyFamily = 'own',
): Awaitable<CipherKey> {
  const keys = derived[family]
  const bySalt = keys.get(secret) ?? setBounded(keys, [secret, new Map()], MAX_SECRETS)
  const known = bySalt.get(salt)
  if (known) return known
  const info = `${INFO[family]} (${salt})`
  return setBounded(bySalt, [salt, cipher.derive({ secret, salt, info })], MAX_SALTS)
}
