import { asRecord } from '../is-record.ts'
import type { AuditType } from '../log/audit-event.ts'
import type { AuthError } from './base.ts'
import * as classes from './classes.ts'
import type { ErrorType } from './error-type.ts'
import type { ErrorResponse } from './response.ts'

export interface ErrorRow
  extends
    Required<Pick<ErrorResponse, 'status' | 'page' | 'type' | 'level'>>,
    Pick<ErrorResponse, 'retryable' | 'byCode'> {
  /** A detail that is exposed beyond the type. */
  readonly code?: string
  /** The type of the event in the audit log. */
  readonly audit?: AuditType
  /** Whether a rule refused the request; else the proof was wrong, or a service failed. */
  readonly outcome?: 'denied'
}

function toRow({ failed, denied, ...given }: ErrorResponse, code?: string): ErrorRow {
  const { page = 'none', type = 'exposed', level = type === 'hidden' ? 'error' : 'info' } = given
  const audit = denied ?? failed
  return {
    ...given,
    page,
    type,
    level,
    ...(code && { code }),
    ...(audit && { audit }),
    ...(denied && { outcome: 'denied' }),
  }
}

// The namespace as a whole would need code of the bundler, which does not run everywhere.
const errorClasses: readonly (typeof AuthError)[] = [
  classes.AccessDenied,
  classes.AccessTokenError,
  classes.AccessTokenUnavailable,
  classes.AccountMailError,
  classes.AccountMergeError,
  classes.AccountNotLinked,
  classes.AccountRemovalError,
  classes.AdapterError,
  classes.AddressChangeError,
  classes.CallbackRouteError,
  classes.ChallengeRequired,
  classes.ContentTooLarge,
  classes.CredentialsSignin,
  classes.DuplicateConditionalUI,
  classes.EmailSignInError,
  classes.ErrorPageLoop,
  classes.EventError,
  classes.ExperimentalFeatureNotEnabled,
  classes.InvalidCallbackUrl,
  classes.InvalidCheck,
  classes.InvalidConfiguration,
  classes.InvalidEndpoints,
  classes.InvalidLogoutToken,
  classes.InvalidProvider,
  classes.InvalidRequest,
  classes.JWTSessionError,
  classes.LastSignInMethod,
  classes.MethodNotAllowed,
  classes.MissingAdapter,
  classes.MissingAdapterMethods,
  classes.MissingAuthorize,
  classes.MissingCSRF,
  classes.MissingSecretError,
  classes.MissingWebAuthnAutocomplete,
  classes.OAuthAccountNotLinked,
  classes.OAuthCallbackError,
  classes.OAuthProfileParseError,
  classes.OAuthSignInError,
  classes.PasswordRejected,
  classes.RequestTimeout,
  classes.SessionRequired,
  classes.SessionTokenError,
  classes.SessionTooLarge,
  classes.SessionUnavailable,
  classes.SignOutError,
  classes.StepUpRequired,
  classes.TemporarilyUnavailable,
  classes.TooManyAttempts,
  classes.UnknownAction,
  classes.UnsupportedMediaType,
  classes.UnsupportedStrategy,
  classes.UntrustedHost,
  classes.Verification,
  classes.WebAuthnVerificationError,
]

export const errorTable = Object.fromEntries(
  errorClasses.map((errorClass) => [errorClass.type, toRow(errorClass['response'])]),
) as Readonly<Record<ErrorType, ErrorRow>>

export function isErrorType(type: string): type is ErrorType {
  return Object.hasOwn(errorTable, type)
}

/** Also accepts errors of another copy of the library; `null` for an error without a row. */
export function findErrorRow(error: unknown): ErrorRow | null {
  if (!(error instanceof Error) || !('type' in error) || typeof error.type !== 'string') return null
  const type = error.type === 'MissingSecret' ? 'MissingSecretError' : error.type
  if (!isErrorType(type)) return null
  const { code, isDeclined } = asRecord(error.cause)
  // The user cancelled at the provider, or was not signed in there (`prompt=none`).
  if (type === 'OAuthCallbackError' && isDeclined === true)
    return { ...errorTable[type], level: 'info' }
  const { byCode = {} } = errorTable[type]
  const response = typeof code === 'string' && Object.hasOwn(byCode, code) && byCode[code]
  return response ? toRow(response, code) : errorTable[type]
}

/** Also accepts an error of another copy of the library, which fails `instanceof`. */
export function isCredentialsSignin(error: unknown): error is Error & { readonly code?: string } {
  return error instanceof Error && 'type' in error && error.type === 'CredentialsSignin'
}

/** Whether only the developer can fix the error. */
export function isConfigurationError(error: unknown): boolean {
  const row = findErrorRow(error)
  return row?.page === 'none' && row.type === 'hidden'
}
