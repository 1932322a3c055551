import { AuthError, SignInError } from './base.ts'

/** The `signIn` callback said no, or threw; then this carries the message of what it threw. */
export class AccessDenied extends AuthError {
  static override type = 'AccessDenied'
}

/** A passkey or security key belongs to another user than the one who is signed in. */
export class AccountNotLinked extends SignInError {
  static override type = 'AccountNotLinked'
}

/** Something unexpected went wrong in a callback route; the original error is `cause.err`. */
export class CallbackRouteError extends AuthError {
  static override type = 'CallbackRouteError'
}

/** The sign-in mail could not be sent; with `cause.code` `invalid_address`, the address was refused and nothing was tried. */
export class EmailSignInError extends SignInError {
  static override type = 'EmailSignInError'
}

/** State, PKCE or nonce did not match: the sign-in was started elsewhere, too long ago, or already used. */
export class InvalidCheck extends SignInError {
  static override type = 'InvalidCheck'
}

/** The address belongs to a user who signs in another way, or the account to another user. */
export class OAuthAccountNotLinked extends SignInError {
  static override type = 'OAuthAccountNotLinked'
}

/** The provider refused, or answered something that is not a valid authorization or token response. */
export class OAuthCallbackError extends SignInError {
  static override type = 'OAuthCallbackError'
}

/** `profile()` threw, or returned no usable id. */
export class OAuthProfileParseError extends AuthError {
  static override type = 'OAuthProfileParseError'
}

/** The sign-in at the provider could not be started. */
export class OAuthSignInError extends SignInError {
  static override type = 'OAuthSignInError'
}

/**
 * Signing in with credentials failed. Throw it, or a subclass with its own {@link CredentialsSignin.code},
 * from `authorize`.
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
  /**
   * Ends up in the `code` query parameter of the sign-in page, so it must not say which of user name
   * and password was wrong.
   *
   * @default 'credentials'
   */
  code = 'credentials'
}

/** The sign-in link is unknown, expired or already used. */
export class Verification extends AuthError {
  static override type = 'Verification'
}

/** A passkey ceremony could not be verified. */
export class WebAuthnVerificationError extends AuthError {
  static override type = 'WebAuthnVerificationError'
}
