import { AuthError, SignInError } from './base.ts'

/** The request body, or one of its fields, is larger than allowed. */
export class ContentTooLarge extends AuthError {
  static override type = 'ContentTooLarge'
}

/** The provider does not exist. */
export class InvalidProvider extends AuthError {
  static override type = 'InvalidProvider'
}

/** The request is malformed: a bad body, a repeated parameter, an invalid host. */
export class InvalidRequest extends AuthError {
  static override type = 'InvalidRequest'
}

/** The route does not accept this method. */
export class MethodNotAllowed extends AuthError {
  static override type = 'MethodNotAllowed'
}

/** The CSRF token is missing or does not belong to this browser. */
export class MissingCSRF extends SignInError {
  static override type = 'MissingCSRF'
}

/** The request body was not received within the timeout. */
export class RequestTimeout extends AuthError {
  static override type = 'RequestTimeout'
}

/** The route does not exist below the base path. */
export class UnknownAction extends AuthError {
  static override type = 'UnknownAction'
}

/** The request body is neither a URL-encoded form nor JSON. */
export class UnsupportedMediaType extends AuthError {
  static override type = 'UnsupportedMediaType'
}
