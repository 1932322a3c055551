import { AuthError } from './base.ts'
import type { ErrorType } from './base.ts'

/** What one type of error does. */
export interface ErrorRow {
  /** HTTP status for callers that want the real one. */
  readonly status: number
  /** The page a browser is sent to; `none`: it is told at once, with the status. */
  readonly page: 'signIn' | 'error' | 'none'
  /** `exposed`: the browser learns the type. `hidden`: it learns `Configuration`. */
  readonly type: 'exposed' | 'hidden'
  /** Attacks and user mistakes are `info`, a failing dependency is `warn`, a bug or bad setup is `error`. */
  readonly level: 'info' | 'warn' | 'error'
  /** Whether repeating the same action may succeed. */
  readonly retryable?: true
  /** What callers learn beyond the type. */
  readonly code?: string
}

/** What each error does: the one place to change it. */
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

/** Of an `EmailSignInError` about an address that was refused: a mistake of whoever typed it in. */
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

/** Whether this is the type of an error of ours. */
export function isErrorType(type: string): type is ErrorType {
  return Object.hasOwn(errorTable, type)
}

/** The row of an error, also of one that another copy of these classes made; `null` for a stranger. */
export function rowOf(error: unknown): ErrorRow | null {
  if (!(error instanceof Error) || !('type' in error) || typeof error.type !== 'string') return null
  if (error.type === 'MissingSecret') return errorTable.MissingSecretError
  if (error.type === 'EmailSignInError' && isRefusedAddress(error)) return refusedAddress
  return isErrorType(error.type) ? errorTable[error.type] : null
}

/** Whether an error is about the configuration: only the developer can do something about it. */
export function isConfigurationError(error: unknown): boolean {
  const row = rowOf(error)
  return row?.page === 'none' && row.type === 'hidden'
}

/**
 * Whether a browser may learn the type of this error.
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
