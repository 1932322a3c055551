/** Names and attributes of all cookies. */
import type { CookieOption } from '../types.ts'
import type { SessionCookie } from './names.ts'

/** Names and attributes of the cookies for one kind of connection. */
export interface CookiePolicy {
  readonly sessionToken: SessionCookie
  /** Every cookie that may hold a session, in the order they are read. */
  readonly sessionTokens: readonly SessionCookie[]
  readonly callbackUrl: CookieOption
  readonly csrfToken: CookieOption
  readonly transaction: CookieOption
  readonly resume: CookieOption
}

/** The cookies by the protocol of a request. */
export interface CookiePolicies {
  readonly secure: CookiePolicy
  /** Reads the session cookies of https, too, after its own. */
  readonly plain: CookiePolicy
  /** For a sign-in or sign-out, which replaces every session cookie; those of https first. */
  readonly both: CookiePolicy
}
