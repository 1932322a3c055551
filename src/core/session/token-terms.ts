/** How long the session of a token lasts. */
import { epochSeconds } from '../crypto/seal.ts'
import type { JWT } from '../types.ts'
import type { SessionContext } from '../contracts.ts'
import { renewedCookie } from './cookies.ts'
import type { FoundToken } from './cookies.ts'
import { readLib, signInTime } from './codec.ts'
import { parseFacts } from './facts.ts'
import { nextExpiry, sessionTerms } from './terms.ts'
import type { LifetimeSettings, Terms } from './terms.ts'

export function tokenTerms(token: JWT, settings: LifetimeSettings): Terms {
  const lib = readLib(token)
  return sessionTerms(lib ? parseFacts(lib) : null, settings, signInTime(token))
}

/** When a token that is issued now expires, in seconds since the epoch. */
export function renewedExpiry(
  { exp, iat }: JWT,
  { maxAge }: Pick<LifetimeSettings, 'maxAge'>,
  { idle, end }: Terms,
): number {
  // Without `exp`, it is a migrated token.
  if (idle === null) return exp ?? (iat ?? 0) + maxAge
  return Math.floor(nextExpiry({ end }, idle, epochSeconds() * 1000) / 1000)
}

/** Returns the expiry of a token that is not due to be issued again. */
export function remainingExpiry(
  { token: { iat, exp }, cookie }: FoundToken,
  ctx: SessionContext,
  { idle, updateAge }: Terms,
): number | undefined {
  const isDue = idle !== null && (typeof iat !== 'number' || iat + updateAge <= epochSeconds())
  const isKept = !isDue && typeof exp === 'number' && cookie === renewedCookie(ctx, cookie)
  return isKept ? exp : undefined
}
