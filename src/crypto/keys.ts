import { setBounded } from '../bounded-map.ts'
import type { Awaitable } from '../types.ts'
import type { Cipher, CipherKey } from './cipher.ts'
import { node } from './node.ts'
import { nodeCipher } from './node-cipher.ts'
import { webCipher } from './web-cipher.ts'

/** The cipher of this runtime. */
export const cipher: Cipher = node ? nodeCipher(node) : webCipher

/** Keys of the last secrets seen; deriving one costs as much as opening a token ten times. */
const derived = new Map<string, Map<string, Awaitable<CipherKey>>>()
const MAX_SECRETS = 100
const MAX_SALTS = 100

/** The key for a secret and a salt; derived once. */
export function keyFor(secret: string, salt: string): Awaitable<CipherKey> {
  const bySalt = derived.get(secret) ?? setBounded(derived, [secret, new Map()], MAX_SECRETS)
  const known = bySalt.get(salt)
  if (known) return known
  const info = `Lib Generated Encryption Key (${salt})`
  return setBounded(bySalt, [salt, cipher.derive({ secret, salt, info })], MAX_SALTS)
}
