/** Errors of the functions with which users change their account. */
import { AuthError, SignInError } from './base.ts'
import type { ErrorResponse } from './response.ts'

/** The link of a mail about a change of the e-mail address is not valid, or the address is not available. */
export class AddressChangeError extends AuthError {
  static override type = 'AddressChangeError'
  protected static override response: ErrorResponse = { status: 400, page: 'error' }
}
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
/**
 * A chosen password was rejected, by its {@link code}; also the code that the option `check` of `Password` returned.
 */
export class PasswordRejected extends SignInError {
  static override type = 'PasswordRejected'
  protected static override response: ErrorResponse = { status: 400, page: 'signIn' }

  /**
   * `too_short`; `common`: it is on the list of common passwords; `unusable`: it is too long, or has characters that no
   * password can have; `conflict`: another request has changed the password.
   */
  get code(): string {
    const code: unknown = this.cause?.['code']
    return typeof code === 'string' ? code : 'unusable'
  }
}
/** Two users could not be merged: `account.mergeUsers` threw, or the database failed. Nothing has changed. */
export class AccountMergeError extends AuthError {
  static override type = 'AccountMergeError'
  protected static override response: ErrorResponse = {
    status: 503,
    page: 'stepUp',
    level: 'error',
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
