/** Types of errors that `pages.error` may receive. */
export type ErrorPageType =
  | 'AccessDenied'
  | 'ContentTooLarge'
  | 'InvalidProvider'
  | 'InvalidRequest'
  | 'MethodNotAllowed'
  | 'RequestTimeout'
  | 'SessionUnavailable'
  | 'TemporarilyUnavailable'
  | 'UnknownAction'
  | 'UnsupportedMediaType'
  | 'Verification'
  | 'WebAuthnVerificationError'

/** Types of errors that `pages.signIn` may receive. */
export type SignInPageType =
  | 'AccountNotLinked'
  | 'CredentialsSignin'
  | 'EmailSignInError'
  | 'InvalidCheck'
  | 'MissingCSRF'
  | 'OAuthAccountNotLinked'
  | 'OAuthCallbackError'
  | 'OAuthSignInError'

/** Values of the `error` query parameter of `pages.error`: the types of errors that may be exposed to a browser. */
export type ErrorPageParam = ErrorPageType | 'Configuration'

/** Values of the `error` query parameter of `pages.signIn`: error types, and codes such as `SessionRequired`. */
export type SignInPageErrorParam =
  | SignInPageType
  | 'Callback'
  | 'EmailCreateAccount'
  | 'EmailSignin'
  | 'OAuthCreateAccount'
  | 'OAuthSignin'
  | 'SessionRequired'
  | 'Signin'

/** Code of a warning: the first argument of {@link LoggerInstance.warn}. */
export type WarningCode =
  | 'adapter-other-row'
  | 'csrf-disabled'
  | 'debug-enabled'
  | 'development-secret'
  | 'duplicate-provider'
  | 'env-renamed'
  | 'env-url-basepath-mismatch'
  | 'env-url-basepath-redundant'
  | 'eviction-unavailable'
  | 'experimental-webauthn'
  | 'oauth-no-scope'
  | 'provider-deprecated'
  | 'redirect-callback'
  | 'session-large'
  | 'session-left-behind'
  | 'session-not-extended'
  | 'session-not-hashed'
  | 'sign-up-incomplete'
  | 'weak-secret'
