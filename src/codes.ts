/** Words that stand for something in queries and logs. */

/**
 * What `pages.error` finds as `error` in its query. Errors of the application whose type a browser may know come
 * there too.
 */
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
 * What `pages.signIn` finds as `error` in its query: a type of error, or what applications send people there with,
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

/** What a warning is about: the first argument of {@link LoggerInstance.warn}. */
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
