/** A class for each type of error. The name of the class is its type; `errors/table.ts` defines the response. */
import { AuthError, SignInError } from './base.ts'
import type { ErrorType } from './error-type.ts'

/** More than one WebAuthn provider enables conditional UI. */
export class DuplicateConditionalUI extends AuthError {}
/** The page in `pages.error` redirects to itself. */
export class ErrorPageLoop extends AuthError {}
/** A feature was used without its `experimental` option. */
export class ExperimentalFeatureNotEnabled extends AuthError {}
/** A `callbackUrl` is not an http(s) URL. */
export class InvalidCallbackUrl extends AuthError {}
/** The configuration is contradictory or unsafe; the message lists every problem. */
export class InvalidConfiguration extends AuthError {}
/** A provider lacks an endpoint, or has one that is not allowed. */
export class InvalidEndpoints extends AuthError {}
/** The configuration needs a database adapter. */
export class MissingAdapter extends AuthError {}
/** The adapter lacks methods that the configuration requires; the message lists them. */
export class MissingAdapterMethods extends AuthError {}
/** A credentials provider has no `authorize` function. */
export class MissingAuthorize extends AuthError {}
/** The secret is missing. Set `AUTH_SECRET`, or `secret` in the configuration. */
export class MissingSecretError extends AuthError {}
/** A WebAuthn provider with conditional UI has no form field with `autocomplete="webauthn"`. */
export class MissingWebAuthnAutocomplete extends AuthError {}
/** The session strategy does not support the configured providers. */
export class UnsupportedStrategy extends AuthError {}
/** The host of the request is not trusted. Set `AUTH_URL`, `trustedHosts` or `trustHost`. */
export class UntrustedHost extends AuthError {}

/** The request body, or one of its fields, is larger than allowed. */
export class ContentTooLarge extends AuthError {}
/** The provider does not exist. */
export class InvalidProvider extends AuthError {}
/** The request is malformed: a bad body, a repeated parameter, an invalid host. */
export class InvalidRequest extends AuthError {}
/** A passkey is the last sign-in method of its user, and is not removed. */
export class LastSignInMethod extends AuthError {}
/** The route does not accept this method. */
export class MethodNotAllowed extends AuthError {}
/** The CSRF token is missing or does not belong to this browser. */
export class MissingCSRF extends SignInError {}
/** The request body was not received within the timeout. */
export class RequestTimeout extends AuthError {}
/** The route does not exist below the base path. */
export class UnknownAction extends AuthError {}
/** The request body is neither a URL-encoded form nor JSON. */
export class UnsupportedMediaType extends AuthError {}

/** A method of the database adapter failed; the original error is `cause.err`. */
export class AdapterError extends AuthError {}
/** An event handler threw. The sign-in is not affected, except by `events.evict`, which rejects it. */
export class EventError extends AuthError {}
/** A session token could not be encrypted or decrypted. */
export class JWTSessionError extends AuthError {}
/** A database session could not be read or written. */
export class SessionTokenError extends AuthError {}
/** The session does not fit into cookies; the message names its largest keys. */
export class SessionTooLarge extends AuthError {}
/** The session lookup failed, for example in a database outage. It does not mean "signed out". */
export class SessionUnavailable extends AuthError {}
/** The sign-out did not complete. */
export class SignOutError extends AuthError {}
/** A dependency did not respond in time. The same action can be repeated. */
export class TemporarilyUnavailable extends AuthError {}

/** The `signIn` callback rejected the sign-in, or threw; then this has the message of that error. */
export class AccessDenied extends AuthError {}
/** `protection.onAttempt` requires an answer to a challenge, in the field `challenge`. */
export class ChallengeRequired extends SignInError {}
/** A passkey or security key belongs to a user other than the one who is signed in. */
export class AccountNotLinked extends SignInError {}
/** An unexpected error in a callback route; the original error is `cause.err`. */
export class CallbackRouteError extends AuthError {}
/** The magic link could not be sent. With `cause.code` `invalid_address`, the address was rejected before sending. */
export class EmailSignInError extends SignInError {}
/** State, PKCE or nonce did not match: the transaction is of another browser, has expired, or was already used. */
export class InvalidCheck extends SignInError {}
/** The address belongs to a user who signs in by another method, or the account is linked to another user. */
export class OAuthAccountNotLinked extends SignInError {}
/** The provider rejected the request, or its authorization or token response is not valid. */
export class OAuthCallbackError extends SignInError {}
/** `profile()` threw, or returned no valid id. */
export class OAuthProfileParseError extends AuthError {}
/** The sign-in at the provider could not be started. */
export class OAuthSignInError extends SignInError {}

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
  /** The `code` parameter of the sign-in page. It must not disclose which field was wrong. @default 'credentials' */
  code = 'credentials'
}

/** Too many failed attempts for an account or from a client address, or too many e-mails. */
export class TooManyAttempts extends SignInError {
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
export class Verification extends AuthError {}
/** A passkey ceremony could not be verified. */
export class WebAuthnVerificationError extends AuthError {}

const classes: Readonly<Record<ErrorType, typeof AuthError>> = {
  AccessDenied,
  AccountNotLinked,
  AdapterError,
  CallbackRouteError,
  ChallengeRequired,
  ContentTooLarge,
  CredentialsSignin,
  DuplicateConditionalUI,
  EmailSignInError,
  ErrorPageLoop,
  EventError,
  ExperimentalFeatureNotEnabled,
  InvalidCallbackUrl,
  InvalidCheck,
  InvalidConfiguration,
  InvalidEndpoints,
  InvalidProvider,
  InvalidRequest,
  JWTSessionError,
  LastSignInMethod,
  MethodNotAllowed,
  MissingAdapter,
  MissingAdapterMethods,
  MissingAuthorize,
  MissingCSRF,
  MissingSecretError,
  MissingWebAuthnAutocomplete,
  OAuthAccountNotLinked,
  OAuthCallbackError,
  OAuthProfileParseError,
  OAuthSignInError,
  RequestTimeout,
  SessionTokenError,
  SessionTooLarge,
  SessionUnavailable,
  SignOutError,
  TemporarilyUnavailable,
  TooManyAttempts,
  UnknownAction,
  UnsupportedMediaType,
  UnsupportedStrategy,
  UntrustedHost,
  Verification,
  WebAuthnVerificationError,
}

// Not `name`, which a bundler may change.
for (const [type, errorClass] of Object.entries(classes)) errorClass.type = type
