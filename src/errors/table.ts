import { AuthError } from './base.ts'
import type { ErrorType } from './base.ts'

export interface ErrorRow {
  /** HTTP status for programs. */
  readonly status: number
  /** The page to redirect to; `none`: no redirect, the error is shown with its status. */
  readonly page: 'signIn' | 'error' | 'none'
  /** `exposed`: the browser receives the type. `hidden`: it receives `Configuration`. */
  readonly type: 'exposed' | 'hidden'
  /** `info`: attacks and user errors. `warn`: a dependency failed. `error`: a bug or an invalid configuration. */
  readonly level: 'info' | 'warn' | 'error'
  /** Whether a retry may succeed. */
  readonly retryable?: true
  /** A detail that is exposed beyond the type. */
  readonly code?: string
}

/** Only the developer can fix it. */
const configuration: ErrorRow = { status: 500, page: 'none', type: 'hidden', level: 'error' }
/** Signing in again may succeed. */
const outage: ErrorRow = {
  status: 503,
  page: 'error',
  type: 'hidden',
  level: 'error',
  retryable: true,
}
/** The sign-in could not be started at the provider or mail server. */
const unreachable: ErrorRow = { ...outage, page: 'signIn', type: 'exposed', level: 'warn' }

export const errorTable: Readonly<Record<ErrorType, ErrorRow>> = {
  AccessDenied: { status: 403, page: 'error', type: 'exposed', level: 'info' },
  AccountNotLinked: { status: 403, page: 'signIn', type: 'exposed', level: 'info' },
  AdapterError: outage,
  CallbackRouteError: { status: 500, page: 'error', type: 'hidden', level: 'error' },
  ContentTooLarge: { status: 413, page: 'none', type: 'exposed', level: 'info' },
  CredentialsSignin: { status: 401, page: 'signIn', type: 'exposed', level: 'info' },
  DuplicateConditionalUI: configuration,
  EmailSignInError: unreachable,
  ErrorPageLoop: configuration,
  EventError: outage,
  ExperimentalFeatureNotEnabled: configuration,
  InvalidCallbackUrl: { status: 400, page: 'error', type: 'hidden', level: 'info' },
  InvalidCheck: { status: 400, page: 'signIn', type: 'exposed', level: 'info', retryable: true },
  InvalidConfiguration: configuration,
  InvalidEndpoints: configuration,
  InvalidProvider: { status: 404, page: 'none', type: 'exposed', level: 'info' },
  InvalidRequest: { status: 400, page: 'none', type: 'exposed', level: 'info' },
  JWTSessionError: outage,
  MethodNotAllowed: { status: 405, page: 'none', type: 'exposed', level: 'info' },
  MissingAdapter: configuration,
  MissingAdapterMethods: configuration,
  MissingAuthorize: configuration,
  MissingCSRF: { status: 403, page: 'signIn', type: 'exposed', level: 'info', retryable: true },
  MissingSecretError: configuration,
  MissingWebAuthnAutocomplete: configuration,
  OAuthAccountNotLinked: { status: 403, page: 'signIn', type: 'exposed', level: 'info' },
  OAuthCallbackError: { status: 502, page: 'signIn', type: 'exposed', level: 'warn' },
  OAuthProfileParseError: { status: 502, page: 'error', type: 'hidden', level: 'error' },
  OAuthSignInError: unreachable,
  RequestTimeout: { status: 408, page: 'none', type: 'exposed', level: 'info', retryable: true },
  SessionTokenError: outage,
  SessionTooLarge: { status: 500, page: 'error', type: 'hidden', level: 'error' },
  SessionUnavailable: { ...outage, type: 'exposed' },
  SignOutError: outage,
  TemporarilyUnavailable: { ...outage, type: 'exposed', level: 'warn' },
  UnknownAction: { status: 404, page: 'none', type: 'exposed', level: 'info' },
  UnsupportedMediaType: { status: 415, page: 'none', type: 'exposed', level: 'info' },
  UnsupportedStrategy: configuration,
  UntrustedHost: { ...configuration, status: 400 },
  Verification: { status: 403, page: 'error', type: 'exposed', level: 'info' },
  WebAuthnVerificationError: { status: 403, page: 'error', type: 'exposed', level: 'info' },
}

/** An `EmailSignInError` for a rejected address is an error of the user. */
const invalidAddress: ErrorRow = {
  status: 400,
  page: 'signIn',
  type: 'exposed',
  level: 'info',
  code: 'invalid_address',
}

export function isErrorType(type: string): type is ErrorType {
  return Object.hasOwn(errorTable, type)
}

/** Also accepts errors of another copy of the library; `null` for an error without a row. */
export function rowOf(error: unknown): ErrorRow | null {
  if (!(error instanceof Error) || !('type' in error) || typeof error.type !== 'string') return null
  if (error.type === 'MissingSecret') return errorTable.MissingSecretError
  if (error.type === 'EmailSignInError' && Object(error.cause).code === invalidAddress.code)
    return invalidAddress
  return isErrorType(error.type) ? errorTable[error.type] : null
}

/** Whether only the developer can fix the error. */
export function isConfigurationError(error: unknown): boolean {
  const row = rowOf(error)
  return row?.page === 'none' && row.type === 'hidden'
}

/** Whether the type of this error may be exposed to a browser. */
export function isClientError(error: unknown): error is AuthError {
  return error instanceof AuthError && rowOf(error)?.type === 'exposed'
}
