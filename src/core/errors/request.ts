/** Errors of a request that is malformed or not allowed. */
import { AuthError, SignInError } from './base.ts'
import type { ErrorResponse } from './response.ts'

/** The request body, or one of its fields, is larger than allowed. */
export class ContentTooLarge extends AuthError {
  static override type = 'ContentTooLarge'
  protected static override response: ErrorResponse = { status: 413 }
}
/** The provider does not exist. */
export class InvalidProvider extends AuthError {
  static override type = 'InvalidProvider'
  protected static override response: ErrorResponse = { status: 404 }
}
/** A logout token of a provider is not valid, so no session has ended. */
export class InvalidLogoutToken extends AuthError {
  static override type = 'InvalidLogoutToken'
  protected static override response: ErrorResponse = { status: 400, denied: 'logout.received' }
}
/** The request is malformed: a bad body, a repeated parameter, an invalid host. */
export class InvalidRequest extends AuthError {
  static override type = 'InvalidRequest'
  protected static override response: ErrorResponse = { status: 400 }
}
/** A passkey or an account is the last sign-in method of its user, and is not removed. */
export class LastSignInMethod extends AuthError {
  static override type = 'LastSignInMethod'
  protected static override response: ErrorResponse = {
    status: 409,
    denied: 'factor.removed',
    byCode: { account: { status: 409, denied: 'account.unlinked' } },
  }
}
/** The route does not accept this method. */
export class MethodNotAllowed extends AuthError {
  static override type = 'MethodNotAllowed'
  protected static override response: ErrorResponse = { status: 405 }
}
/** The CSRF token is missing or does not belong to this browser. */
export class MissingCSRF extends SignInError {
  static override type = 'MissingCSRF'
  protected static override response: ErrorResponse = {
    status: 403,
    page: 'signIn',
    retryable: true,
    denied: 'csrf.refused',
  }
}
/** The request body was not received within the timeout. */
export class RequestTimeout extends AuthError {
  static override type = 'RequestTimeout'
  protected static override response: ErrorResponse = { status: 408, retryable: true }
}
/** The route does not exist below the base path. */
export class UnknownAction extends AuthError {
  static override type = 'UnknownAction'
  protected static override response: ErrorResponse = { status: 404 }
}
/** The request body is neither a URL-encoded form nor JSON. */
export class UnsupportedMediaType extends AuthError {
  static override type = 'UnsupportedMediaType'
  protected static override response: ErrorResponse = { status: 415 }
}
