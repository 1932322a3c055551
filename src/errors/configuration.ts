import { AuthError } from './base.ts'

/** More than one WebAuthn provider asks for conditional UI. */
export class DuplicateConditionalUI extends AuthError {
  static override type = 'DuplicateConditionalUI'
}

/** The page configured as `pages.error` leads back to itself. */
export class ErrorPageLoop extends AuthError {
  static override type = 'ErrorPageLoop'
}

/** A feature was used that `experimental` has not enabled. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type = 'ExperimentalFeatureNotEnabled'
}

/** A `callbackUrl` is not an http(s) URL. */
export class InvalidCallbackUrl extends AuthError {
  static override type = 'InvalidCallbackUrl'
}

/** The configuration contradicts itself or is unsafe; the message lists every problem found. */
export class InvalidConfiguration extends AuthError {
  static override type = 'InvalidConfiguration'
}

/** A provider lacks an endpoint, or names one that must not be used. */
export class InvalidEndpoints extends AuthError {
  static override type = 'InvalidEndpoints'
}

/** The configuration needs a database adapter. */
export class MissingAdapter extends AuthError {
  static override type = 'MissingAdapter'
}

/** The database adapter lacks methods that the configuration needs; the message names them. */
export class MissingAdapterMethods extends AuthError {
  static override type = 'MissingAdapterMethods'
}

/** A credentials provider has no `authorize` function. */
export class MissingAuthorize extends AuthError {
  static override type = 'MissingAuthorize'
}

/** There is no secret. Set `AUTH_SECRET`, or `secret` in the configuration. */
export class MissingSecretError extends AuthError {
  static override type = 'MissingSecretError'
}

/** A WebAuthn provider with conditional UI has no form field with `autocomplete="webauthn"`. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type = 'MissingWebAuthnAutocomplete'
}

/** The providers cannot work with the chosen session strategy. */
export class UnsupportedStrategy extends AuthError {
  static override type = 'UnsupportedStrategy'
}

/** The host of the request is not trusted. Set `AUTH_URL`, `trustedHosts` or `trustHost`. */
export class UntrustedHost extends AuthError {
  static override type = 'UntrustedHost'
}
