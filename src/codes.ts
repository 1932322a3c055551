/** Values of the `error` query parameter of `pages.error`: the types of errors that may be exposed to a browser. */
export type ErrorPageParam =
  | 'AccessDenied'
  | 'Configuration'
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

/**
 * Values of the `error` query parameter of `pages.signIn`: error types, and the codes that applications redirect with,
 * such as `SessionRequired`.
 */
export type SignInPageErrorParam =
  | 'AccountNotLinked'
  | 'CredentialsSignin'
  | 'EmailSignInError'
  | 'InvalidCheck'
  | 'MissingCSRF'
  | 'OAuthAccountNotLinked'
  | 'OAuthCallbackError'
  | 'OAuthSignInError'
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
  | 'redirect-callback'
  | 'session-large'
  | 'session-left-behind'
  | 'session-not-extended'
  | 'session-not-hashed'
  | 'sign-up-incomplete'
  | 'weak-secret'
