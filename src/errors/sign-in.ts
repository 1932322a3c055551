import { AuthError, SignInError } from './base.ts'

/** The `signIn` callback rejected the sign-in, or threw; then this has the message of that error. */
export class AccessDenied extends AuthError {
  static override type = 'AccessDenied'
}

/** A passkey or security key belongs to a user other than the one who is signed in. */
export class AccountNotLinked extends SignInError {
  static override type = 'AccountNotLinked'
}

/** An unexpected error in a callback route; the original error is `cause.err`. */
export class CallbackRouteError extends AuthError {
  static override type = 'CallbackRouteError'
}

/** The magic link could not be sent. With `cause.code` `invalid_address`, the address was rejected before sending. */
export class EmailSignInError extends SignInError {
  static override type = 'EmailSignInError'
}

/** State, PKCE or nonce did not match: the transaction is of another browser, has expired, or was already used. */
export class InvalidCheck extends SignInError {
  static override type = 'InvalidCheck'
}

/** The address belongs to a user who signs in by another method, or the account is linked to another user. */
export class OAuthAccountNotLinked extends SignInError {
  static override type = 'OAuthAccountNotLinked'
}

/** The provider rejected the request, or its authorization or token response is not valid. */
export class OAuthCallbackError extends SignInError {
  static override type = 'OAuthCallbackError'
}

/** `profile()` threw, or returned no valid id. */
export class OAuthProfileParseError extends AuthError {
  static override type = 'OAuthProfileParseError'
}

/** The sign-in at the provider could not be started. */
export class OAuthSignInError extends SignInError {
  static override type = 'OAuthSignInError'
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
  /** The `code` parameter of the sign-in page. It must not disclose which field was wrong. @default 'credentials' */
  code = 'credentials'
}

/** The magic link is unknown, has expired or was already used. */
export class Verification extends AuthError {
  static override type = 'Verification'
}

/** A passkey ceremony could not be verified. */
export class WebAuthnVerificationError extends AuthError {
  static override type = 'WebAuthnVerificationError'
}
