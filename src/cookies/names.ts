import type { KeyFamily } from '../crypto/keys.ts'
import type { CookieOption } from '../types.ts'

export const STEM = 'lib.'

export const SESSION_COOKIE: string = `${STEM}session-token`

/** Session cookie of `next-auth` 5 and `@auth/core`, for migrated sessions; on https after `__Secure-`. */
export const NEXT_AUTH_SESSION_COOKIE = 'authjs.session-token'

export type Security = 'secure' | 'plain'

export interface SessionCookie extends CookieOption {
  /** If https and http share a configured name, the connection whose attributes the cookie has. */
  readonly security: Security
  readonly family: KeyFamily
}
