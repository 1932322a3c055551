/** Errors that only the developer can fix. */
import { AuthError } from './base.ts'
import type { ErrorResponse } from './response.ts'

/** More than one WebAuthn provider enables conditional UI. */
export class DuplicateConditionalUI extends AuthError {
  static override type = 'DuplicateConditionalUI'
}
/** The page in `pages.error` redirects to itself. */
export class ErrorPageLoop extends AuthError {
  static override type = 'ErrorPageLoop'
}
/** A feature was used without its `experimental` option. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type = 'ExperimentalFeatureNotEnabled'
}
/** A `callbackUrl` is not an http(s) URL. */
export class InvalidCallbackUrl extends AuthError {
  static override type = 'InvalidCallbackUrl'
  protected static override response: ErrorResponse = {
    status: 400,
    page: 'error',
    type: 'hidden',
    level: 'info',
  }
}
/** The configuration is contradictory or unsafe; the message lists every problem. */
export class InvalidConfiguration extends AuthError {
  static override type = 'InvalidConfiguration'
}
/** A provider lacks an endpoint, or has one that is not allowed. */
export class InvalidEndpoints extends AuthError {
  static override type = 'InvalidEndpoints'
}
/** The configuration needs a database adapter. */
export class MissingAdapter extends AuthError {
  static override type = 'MissingAdapter'
}
/** The adapter lacks methods that the configuration requires; the message lists them. */
export class MissingAdapterMethods extends AuthError {
  static override type = 'MissingAdapterMethods'
}
/** A credentials provider has no `authorize` function. */
export class MissingAuthorize extends AuthError {
  static override type = 'MissingAuthorize'
}
/** The secret is missing. Set `AUTH_SECRET`, or `secret` in the configuration. */
export class MissingSecretError extends AuthError {
  static override type = 'MissingSecretError'
}
/** A WebAuthn provider with conditional UI has no form field with `autocomplete="webauthn"`. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type = 'MissingWebAuthnAutocomplete'
}
/** The session strategy does not support the configured providers. */
export class UnsupportedStrategy extends AuthError {
  static override type = 'UnsupportedStrategy'
}
/** The host of the request is not trusted. Set `AUTH_URL`, `trustedHosts` or `trustHost`. */
export class UntrustedHost extends AuthError {
  static override type = 'UntrustedHost'
  protected static override response: ErrorResponse = { status: 400, type: 'hidden' }
}
