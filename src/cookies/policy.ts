import type { CookieOption } from '../types.ts'
import type { SessionCookie } from './names.ts'

export interface CookiePolicy {
  readonly sessionToken: SessionCookie
  /** Every cookie that may contain a session, in the order they are read. */
  readonly sessionTokens: readonly SessionCookie[]
  readonly callbackUrl: CookieOption
  readonly csrfToken: CookieOption
  readonly transaction: CookieOption
  readonly resume: CookieOption
}

export interface CookiePolicies {
  readonly secure: CookiePolicy
  /** Also reads the session cookies of https, after its own. */
  readonly plain: CookiePolicy
  /** For a sign-in or sign-out, which replaces every session cookie; those of https first. */
  readonly both: CookiePolicy
}
