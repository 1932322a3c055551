/** A class for each type of error, and the response to it. The name of the class is its type. */
import { AuthError, SignInError } from './base.ts'
import type { ErrorResponse } from './response.ts'

export * from './access.ts'
export * from './account.ts'
export * from './configuration.ts'
export * from './request.ts'

// Only literals, so that a bundle contains no class that its application does not use.
const outage: ErrorResponse = {
  status: 503,
  page: 'error',
  type: 'hidden',
  retryable: true,
  failed: 'signin',
}
/** The sign-in could not be started at the provider or mail server. */
const unreachable: ErrorResponse = {
  status: 503,
  page: 'signIn',
  level: 'warn',
  retryable: true,
  failed: 'signin',
}
const notLinked: ErrorResponse = {
  status: 403,
  page: 'signIn',
  denied: 'signin',
  byCode: {
    // The session cannot link accounts and passkeys until the user signs in again.
    session_cannot_link: { status: 403, page: 'signIn', denied: 'signin' },
  },
}

const CODES = ['not_signed_in', 'not_connected', 'reconnect', 'scope', 'read_only'] as const

/** The application cannot get an access token of the provider until the user does something, by {@link code}. */
export class AccessTokenError extends AuthError {
  static override type = 'AccessTokenError'
  protected static override response: ErrorResponse = { status: 401, page: 'none' }

  /**
   * `not_signed_in`; `not_connected`: sign in at the provider; `reconnect`: sign in there again; `scope`: request
   * {@link missing}; `read_only`: the new token could not be stored.
   */
  get code(): 'not_signed_in' | 'not_connected' | 'reconnect' | 'scope' | 'read_only' {
    const code: unknown = this.cause?.['code']
    return CODES.find((each) => each === code) ?? 'not_connected'
  }

  /** The scopes that the user has not granted. */
  get missing(): readonly string[] {
    const missing: unknown = this.cause?.['missing']
    return Array.isArray(missing) ? missing : []
  }
}
/** The provider or the store does not respond, and no valid access token is left. */
export class AccessTokenUnavailable extends AuthError {
  static override type = 'AccessTokenUnavailable'
  protected static override response: ErrorResponse = {
    status: 503,
    page: 'none',
    level: 'warn',
    retryable: true,
  }
}
/** A method of the database adapter failed; the original error is `cause.err`. */
export class AdapterError extends AuthError {
  static override type = 'AdapterError'
  protected static override response: ErrorResponse = outage
}
/** An event handler threw. The sign-in is not affected, except by `events.evict`, which rejects it. */
export class EventError extends AuthError {
  static override type = 'EventError'
  protected static override response: ErrorResponse = outage
}
/** A session token could not be encrypted or decrypted. */
export class JWTSessionError extends AuthError {
  static override type = 'JWTSessionError'
  protected static override response: ErrorResponse = outage
}
/** A database session could not be read or written. */
export class SessionTokenError extends AuthError {
  static override type = 'SessionTokenError'
  protected static override response: ErrorResponse = outage
}
/** The session does not fit into cookies; the message names its largest keys. */
export class SessionTooLarge extends AuthError {
  static override type = 'SessionTooLarge'
  protected static override response: ErrorResponse = {
    status: 500,
    page: 'error',
    type: 'hidden',
    failed: 'signin',
  }
}
/** The session lookup failed, for example in a database outage. It does not mean "signed out". */
export class SessionUnavailable extends AuthError {
  static override type = 'SessionUnavailable'
  protected static override response: ErrorResponse = {
    status: 503,
    page: 'error',
    level: 'error',
    retryable: true,
    failed: 'signin',
  }
}
/** The sign-out did not complete. */
export class SignOutError extends AuthError {
  static override type = 'SignOutError'
  protected static override response: ErrorResponse = {
    status: 503,
    page: 'error',
    type: 'hidden',
    retryable: true,
    failed: 'signout',
  }
}
/** A dependency did not respond in time. The same action can be repeated. */
export class TemporarilyUnavailable extends AuthError {
  static override type = 'TemporarilyUnavailable'
  protected static override response: ErrorResponse = {
    status: 503,
    page: 'error',
    level: 'warn',
    retryable: true,
    failed: 'signin',
  }
}

/** The `signIn` callback rejected the sign-in, or threw; then this has the message of that error. */
export class AccessDenied extends AuthError {
  static override type = 'AccessDenied'
  protected static override response: ErrorResponse = {
    status: 403,
    page: 'error',
    denied: 'signin',
  }
}
/** `protection.onAttempt` requires an answer to a challenge, in the field `challenge`. */
export class ChallengeRequired extends SignInError {
  static override type = 'ChallengeRequired'
  protected static override response: ErrorResponse = {
    status: 403,
    page: 'signIn',
    denied: 'attempt.limited',
  }
}
/** A passkey or security key belongs to a user other than the one who is signed in. */
export class AccountNotLinked extends SignInError {
  static override type = 'AccountNotLinked'
  protected static override response: ErrorResponse = notLinked
}
/** An unexpected error in a callback route; the original error is `cause.err`. */
export class CallbackRouteError extends AuthError {
  static override type = 'CallbackRouteError'
  protected static override response: ErrorResponse = {
    status: 500,
    page: 'error',
    type: 'hidden',
    failed: 'signin',
  }
}
/** The magic link could not be sent. With `cause.code` `invalid_address`, the address was rejected before sending. */
export class EmailSignInError extends SignInError {
  static override type = 'EmailSignInError'
  protected static override response: ErrorResponse = {
    status: 503,
    page: 'signIn',
    level: 'warn',
    retryable: true,
    failed: 'signin',
    byCode: { invalid_address: { status: 400, page: 'signIn', failed: 'signin' } },
  }
}
/** State, PKCE or nonce did not match: the transaction is of another browser, has expired, or was already used. */
export class InvalidCheck extends SignInError {
  static override type = 'InvalidCheck'
  protected static override response: ErrorResponse = {
    status: 400,
    page: 'signIn',
    retryable: true,
    failed: 'signin',
  }
}
/** The address belongs to a user who signs in by another method, or the account is linked to another user. */
export class OAuthAccountNotLinked extends SignInError {
  static override type = 'OAuthAccountNotLinked'
  protected static override response: ErrorResponse = notLinked
}
/** The provider rejected the request, or its authorization or token response is not valid. */
export class OAuthCallbackError extends SignInError {
  static override type = 'OAuthCallbackError'
  protected static override response: ErrorResponse = {
    status: 502,
    page: 'signIn',
    level: 'warn',
    failed: 'signin',
  }
}
/** `profile()` threw, or returned no valid id. */
export class OAuthProfileParseError extends AuthError {
  static override type = 'OAuthProfileParseError'
  protected static override response: ErrorResponse = {
    status: 502,
    page: 'error',
    type: 'hidden',
    failed: 'signin',
  }
}
/** The sign-in at the provider could not be started. */
export class OAuthSignInError extends SignInError {
  static override type = 'OAuthSignInError'
  protected static override response: ErrorResponse = unreachable
}

/**
 * The credentials were rejected. Throw it, or a subclass with its own {@link CredentialsSignin.code}, from `authorize`.
 *
 * @example
 * ```ts
 * import { CredentialsSignin } from 'lib-auth/errors'
 *
 * export class SecondFactorNeeded extends CredentialsSignin {
 *   override code = 'second_factor'
 * }
 * ```
 */
export class CredentialsSignin extends SignInError {
  static override type = 'CredentialsSignin'
  protected static override response: ErrorResponse = {
    status: 401,
    page: 'signIn',
    failed: 'signin',
  }

  /** The `code` parameter of the sign-in page. It must not disclose which field was wrong. @default 'credentials' */
  code = 'credentials'
}

/** Too many failed attempts for an account or from a client address, or too many e-mails. */
export class TooManyAttempts extends SignInError {
  static override type = 'TooManyAttempts'
  protected static override response: ErrorResponse = {
    status: 429,
    page: 'signIn',
    denied: 'attempt.limited',
  }

  /** Seconds until one attempt is available; 0: unknown. */
  get retryAfter(): number {
    return Number(this.cause?.['retryAfter']) || 0
  }

  /** The name of the exhausted limit, such as `password.account`; `undefined` if `onAttempt` refused the attempt. */
  get limit(): string | undefined {
    const name: unknown = this.cause?.['limit']
    return typeof name === 'string' ? name : undefined
  }

  /** `retry-after` if the time is known. */
  override get headers(): Readonly<Record<string, string>> {
    const { retryAfter } = this
    return retryAfter ? { 'retry-after': `${retryAfter}` } : {}
  }
}
/** The magic link is unknown, has expired or was already used. */
export class Verification extends AuthError {
  static override type = 'Verification'
  protected static override response: ErrorResponse = {
    status: 403,
    page: 'error',
    failed: 'signin',
    byCode: {
      invalid_code: { status: 403, page: 'verifyRequest', failed: 'signin' },
      invalid_second_step: { status: 403, page: 'stepUp', failed: 'signin' },
    },
  }
}
/** A passkey ceremony could not be verified. */
export class WebAuthnVerificationError extends AuthError {
  static override type = 'WebAuthnVerificationError'
  protected static override response: ErrorResponse = {
    status: 403,
    page: 'error',
    failed: 'signin',
  }
}
