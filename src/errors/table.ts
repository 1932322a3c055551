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

export const errorTable: Readonly<Record<ErrorType, ErrorRow>> = {
  AccessDenied: { status: 403, page: 'error', type: 'exposed', level: 'info' },
  AccountNotLinked: { status: 403, page: 'signIn', type: 'exposed', level: 'info' },
  AdapterError: { status: 503, page: 'error', type: 'hidden', level: 'error', retryable: true },
  CallbackRouteError: { status: 500, page: 'error', type: 'hidden', level: 'error' },
  ContentTooLarge: { status: 413, page: 'none', type: 'exposed', level: 'info' },
  CredentialsSignin: { status: 401, page: 'signIn', type: 'exposed', level: 'info' },
  DuplicateConditionalUI: { status: 500, page: 'none', type: 'hidden', level: 'error' },
  EmailSignInError: {
    status: 503,
    page: 'signIn',
    type: 'exposed',
    level: 'warn',
    retryable: true,
  },
  ErrorPageLoop: { status: 500, page: 'none', type: 'hidden', level: 'error' },
  EventError: { status: 503, page: 'error', type: 'hidden', level: 'error', retryable: true },
  ExperimentalFeatureNotEnabled: { status: 500, page: 'none', type: 'hidden', level: 'error' },
  InvalidCallbackUrl: { status: 400, page: 'error', type: 'hidden', level: 'info' },
  InvalidCheck: { status: 400, page: 'signIn', type: 'exposed', level: 'info', retryable: true },
  InvalidConfiguration: { status: 500, page: 'none', type: 'hidden', level: 'error' },
  InvalidEndpoints: { status: 500, page: 'none', type: 'hidden', level: 'error' },
  InvalidProvider: { status: 404, page: 'none', type: 'exposed', level: 'info' },
  InvalidRequest: { status: 400, page: 'none', type: 'exposed', level: 'info' },
  JWTSessionError: { status: 503, page: 'error', type: 'hidden', level: 'error', retryable: true },
  MethodNotAllowed: { status: 405, page: 'none', type: 'exposed', level: 'info' },
  MissingAdapter: { status: 500, page: 'none', type: 'hidden', level: 'error' },
  MissingAdapterMethods: { status: 500, page: 'none', type: 'hidden', level: 'error' },
  MissingAuthorize: { status: 500, page: 'none', type: 'hidden', level: 'error' },
  MissingCSRF: { status: 403, page: 'signIn', type: 'exposed', level: 'info', retryable: true },
  MissingSecretError: { status: 500, page: 'none', type: 'hidden', level: 'error' },
  MissingWebAuthnAutocomplete: { status: 500, page: 'none', type: 'hidden', level: 'error' },
  OAuthAccountNotLinked: { status: 403, page: 'signIn', type: 'exposed', level: 'info' },
  OAuthCallbackError: { status: 502, page: 'signIn', type: 'exposed', level: 'warn' },
  OAuthProfileParseError: { status: 502, page: 'error', type: 'hidden', level: 'error' },
  OAuthSignInError: {
    status: 503,
    page: 'signIn',
    type: 'exposed',
    level: 'warn',
    retryable: true,
  },
  RequestTimeout: { status: 408, page: 'none', type: 'exposed', level: 'info', retryable: true },
  SessionTokenError: {
    status: 503,
    page: 'error',
    type: 'hidden',
    level: 'error',
    retryable: true,
  },
  SessionTooLarge: { status: 500, page: 'error', type: 'hidden', level: 'error' },
  SessionUnavailable: {
    status: 503,
    page: 'error',
    type: 'exposed',
    level: 'error',
    retryable: true,
  },
  SignOutError: { status: 503, page: 'error', type: 'hidden', level: 'error', retryable: true },
  TemporarilyUnavailable: {
    status: 503,
    page: 'error',
    type: 'exposed',
    level: 'warn',
    retryable: true,
  },
  UnknownAction: { status: 404, page: 'none', type: 'exposed', level: 'info' },
  UnsupportedMediaType: { status: 415, page: 'none', type: 'exposed', level: 'info' },
  UnsupportedStrategy: { status: 500, page: 'none', type: 'hidden', level: 'error' },
  UntrustedHost: { status: 400, page: 'none', type: 'hidden', level: 'error' },
  Verification: { status: 403, page: 'error', type: 'exposed', level: 'info' },
  WebAuthnVerificationError: { status: 403, page: 'error', type: 'exposed', level: 'info' },
}

/** An `EmailSignInError` for a rejected address is an error of the user. */
const refusedAddress: ErrorRow = {
  status: 400,
  page: 'signIn',
  type: 'exposed',
  level: 'info',
  code: 'invalid_address',
}

function isRefusedAddress({ cause }: Error): boolean {
  const holder = typeof cause === 'object' && cause !== null && 'code' in cause ? cause : null
  return holder?.code === refusedAddress.code
}

export function isErrorType(type: string): type is ErrorType {
  return Object.hasOwn(errorTable, type)
}

/** Also accepts errors of another copy of the library; `null` for an error without a row. */
export function rowOf(error: unknown): ErrorRow | null {
  if (!(error instanceof Error) || !('type' in error) || typeof error.type !== 'string') return null
  if (error.type === 'MissingSecret') return errorTable.MissingSecretError
  if (error.type === 'EmailSignInError' && isRefusedAddress(error)) return refusedAddress
  return isErrorType(error.type) ? errorTable[error.type] : null
}

/** Whether only the developer can fix the error. */
export function isConfigurationError(error: unknown): boolean {
  const row = rowOf(error)
  return row?.page === 'none' && row.type === 'hidden'
}

/**
 * Whether the type of this error may be exposed to a browser.
 *
 * @example
 * ```ts
 * import { isClientError } from 'lib-auth/errors'
 *
 * export function shown(error: unknown): string {
 *   return isClientError(error) ? error.type : 'Configuration'
 * }
 * ```
 */
export function isClientError(error: unknown): error is AuthError {
  return error instanceof AuthError && rowOf(error)?.type === 'exposed'
}
