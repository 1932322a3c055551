/** Opens sealed tokens; those that were opened last are not decrypted again. */
import { chain } from '../async/awaitable.ts'
import { currentClaims, decrypt } from '../crypto/seal.ts'
import type { Claims, Sealing } from '../crypto/seal.ts'
import type { TokenCache } from '../crypto/token-cache.ts'
import type { Awaitable } from '../types.ts'

const PURPOSE = { salt: 'lib.tokens', family: 'internal' } as const

export function tokenSealing(secrets: readonly string[]): Sealing {
  return { secrets, ...PURPOSE }
}

/** `null` if no secret opens the value. */
export function openCached(
  value: string,
  secrets: readonly string[],
  cache: TokenCache,
): Awaitable<Claims | null> {
  const known = cache.get(value, PURPOSE)
  if (known !== undefined) return currentClaims(known)
  return chain(decrypt(value, tokenSealing(secrets)), (text) => {
    if (text === null) return null
    cache.set(value, { text, ...PURPOSE })
    return currentClaims(text)
  })
}
