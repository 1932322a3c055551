/** Opens sealed tokens; those that were opened last are not decrypted again. */
import { chain } from '../async/awaitable.ts'
import { decrypt } from '../crypto/seal.ts'
import type { Claims, Sealing } from '../crypto/seal.ts'
import { parseJsonObject } from '../is-record.ts'
import type { TokenCache } from '../crypto/token-cache.ts'
import type { Awaitable } from '../types.ts'

const PURPOSE = { salt: 'lib.tokens', family: 'internal' } as const

export function tokenSealing(secrets: readonly string[]): Sealing {
  return { secrets, ...PURPOSE }
}

/** Values are sealed without an expiry. `null` if no secret opens the value. */
export function openCached(
  value: string,
  secrets: readonly string[],
  cache: TokenCache<Claims>,
): Awaitable<Claims | null> {
  const known = cache.get(value, PURPOSE)
  if (known) return known
  return chain(decrypt(value, tokenSealing(secrets)), (text) => {
    const claims = text === null ? null : parseJsonObject(text)
    if (text && claims) cache.set(value, { contents: claims, length: text.length, ...PURPOSE })
    return claims
  })
}
