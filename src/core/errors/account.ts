/** Errors of the functions with which users change their account. */
import { AuthError } from './base.ts'
import type { ErrorResponse } from './response.ts'

/** A mail of the account functions was not sent: `account.send` or the e-mail provider failed. */
export class AccountMailError extends AuthError {
  static override type = 'AccountMailError'
  protected static override response: ErrorResponse = {
    status: 503,
    page: 'error',
    type: 'hidden',
    retryable: true,
  }
}
/** A user could not be deleted: `account.beforeRemove` threw, or the database failed. The call can be repeated. */
export class AccountRemovalError extends AuthError {
  static override type = 'AccountRemovalError'
  protected static override response: ErrorResponse = {
    status: 503,
    page: 'error',
    type: 'hidden',
    retryable: true,
  }
}
