import type { KeyFamily } from '../crypto/seal.ts'
import type { CookieOption } from '../types.ts'

export const COOKIE_PREFIX = 'lib.'

export const SESSION_COOKIE: string = `${COOKIE_PREFIX}session-token`

/** Session cookie of `next-auth` 5 and `@auth/core`, for migrated sessions; on https after `__Secure-`. */
export const NEXT_AUTH_SESSION_COOKIE = 'authjs.session-token'

export type Security = 'secure' | 'plain'

export interface SessionName {
  readonly name: string
  /** If https and http share a configured name, the connection whose attributes the cookie has. */
  readonly security: Security
  readonly family: KeyFamily
}

export interface SessionCookie extends SessionName, CookieOption {}

export interface CookiePolicy {
  readonly sessionToken: SessionCookie
  /** Every cookie that may contain a session, in the order they are read. */
  readonly sessionTokens: readonly SessionCookie[]
  readonly callbackUrl: CookieOption
  readonly csrfToken: CookieOption
  readonly transaction: CookieOption
  readonly challenge: CookieOption
  /** An incomplete sign-up that this browser can repeat. */
  readonly resume: CookieOption
  /** A sign-in whose second step is due. */
  readonly pending: CookieOption
  /** What the user typed, for the page after an error. */
  readonly form: CookieOption
  /** The accounts of this browser, which has limits of its own for them. */
  readonly known: CookieOption
  /** Its name is a prefix, before a hash of the provider. */
  readonly tokens: CookieOption
  /** What the session keeps to sign out at its providers. */
  readonly logoutHints: CookieOption
  /** A sign-out at a provider. Its name is a prefix, before a hash of the state. */
  readonly logout: CookieOption
}

export interface CookiePolicies {
  readonly secure: CookiePolicy
  /** Also reads the session cookies of https, after its own. */
  readonly plain: CookiePolicy
  /** For a sign-in or sign-out, which replaces every session cookie; those of https first. */
  readonly both: CookiePolicy
}
