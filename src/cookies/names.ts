import type { KeyFamily } from '../crypto/keys.ts'
import type { CookieOption } from '../types.ts'

/** Stem of every cookie of ours. */
export const STEM = 'lib.'

/** Name of the session cookie, before any prefix. */
export const SESSION_COOKIE: string = `${STEM}session-token`

/** Name of the session cookie of the library whose sessions are taken over, after `__Secure-` on https. */
export const ESTABLISHED_SESSION_COOKIE = 'authjs.session-token'

/** Which connections a cookie is for: https, or http. */
export type Security = 'secure' | 'plain'

/** A cookie that may hold a session. */
export interface SessionCookie extends CookieOption {
  /** Which connections it is for; with one configured name for both, where its attributes are from. */
  readonly security: Security
  /** Whose token is in it: ours, or that of the library whose sessions are taken over. */
  readonly family: KeyFamily
}
