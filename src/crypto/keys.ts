import { setBounded } from '../bounded-map.ts'
import type { Awaitable } from '../types.ts'
import type { Cipher, CipherKey } from './cipher.ts'
import { nodeCipher } from './node-cipher.ts'
import { node } from './node.ts'
import { webCipher } from './web-cipher.ts'

/** The cipher of this runtime. */
export const cipher: Cipher = node ? nodeCipher(node) : webCipher

/** What keys are for: session tokens, other values that only this library reads, and migrated session tokens. */
export type KeyFamily = 'own' | 'internal' | 'established'

/**
 * How HKDF info texts begin (RFC 5869 §2.3): a key of one family opens nothing of another. The salt of a session token
 * is a cookie name that the application chooses, so it must not name an internal value.
 */
const INFO: Readonly<Record<KeyFamily, string>> = {
  own: 'Lib Generated Encryption Key',
  internal: 'Lib Internal Encryption Key',
  established: 'Auth.js Generated Encryption Key',
}

type KeysBySecret = Map<string, Map<string, Awaitable<CipherKey>>>

/** Keys of the last secrets seen; deriving one costs as much as opening a token ten times. */
const derived: Readonly<Record<KeyFamily, KeysBySecret>> = {
  own: new Map(),
  internal: new Map(),
  established: new Map(),
}
const MAX_SECRETS = 100
const MAX_SALTS = 100

/** The key for a secret and a salt; derived once. */
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
