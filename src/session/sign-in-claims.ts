/**
 * Claims of a session token about its sign-in. No callback can set them: it may copy what a browser sent to `update()`.
 */
import type { JWT } from '../types.ts'
import { signInTime } from './codec.ts'

/** The claims; each is left out where it is unknown. */
export interface SignInClaims {
  /** When the user signed in, in seconds since the epoch (OpenID Connect Core §2). */
  readonly auth_time: number | undefined
  /** Whether the e-mail address of the user was verified then: an older session must not link accounts. */
  readonly verified_at_sign_in: boolean | undefined
}

/** The claims of a token. */
export function signInClaims(token: JWT): SignInClaims {
  const verified = token['verified_at_sign_in']
  return {
    auth_time: signInTime(token),
    verified_at_sign_in: typeof verified === 'boolean' ? verified : undefined,
  }
}

/** The token with these claims instead of its own. */
export function withSignInClaims(token: JWT, claims: SignInClaims): JWT {
  const { auth_time, verified_at_sign_in } = claims
  const isSame =
    token['auth_time'] === auth_time && token['verified_at_sign_in'] === verified_at_sign_in
  if (isSame) return token
  const { auth_time: _time, verified_at_sign_in: _verified, ...rest } = token
  return {
    ...(auth_time !== undefined && { auth_time }),
    ...(verified_at_sign_in !== undefined && { verified_at_sign_in }),
    ...rest,
  }
}
