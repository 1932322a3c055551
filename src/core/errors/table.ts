import type { ErrorType } from './error-type.ts'
import type { AuditType } from '../log/audit-event.ts'

export interface ErrorRow {
  readonly status: number
  /** The page to redirect to; `none`: no redirect, the error is shown with its status. */
  readonly page: 'signIn' | 'verifyRequest' | 'error' | 'none'
  /** `exposed`: the browser receives the type. `hidden`: it receives `Configuration`. */
  readonly type: 'exposed' | 'hidden'
  /** `info`: attacks and user errors. `warn`: a dependency failed. `error`: a bug or an invalid configuration. */
  readonly level: 'info' | 'warn' | 'error'
  readonly retryable?: true
  /** A detail that is exposed beyond the type. */
  readonly code?: string
  /** The type of the event in the audit log. */
  readonly audit?: AuditType
  /** Whether a rule refused the request; else the proof was wrong, or a service failed. */
  readonly outcome?: 'denied'
}

type Page = ErrorRow['page']

/** An error of the user or an attacker. */
function exposed(status: number, page: Page): ErrorRow {
  return { status, page, type: 'exposed', level: 'info' }
}

function hidden(status: number, page: Page = 'error'): ErrorRow {
  return { status, page, type: 'hidden', level: 'error' }
}

function failedSignIn(row: ErrorRow): ErrorRow {
  return { ...row, audit: 'signin' }
}

function denied(row: ErrorRow, audit: AuditType): ErrorRow {
  return { ...row, audit, outcome: 'denied' }
}

const configuration = hidden(500, 'none')
const outage: ErrorRow = failedSignIn({ ...hidden(503), retryable: true })
/** The sign-in could not be started at the provider or mail server. */
const unreachable: ErrorRow = { ...outage, page: 'signIn', type: 'exposed', level: 'warn' }

export const errorTable: Readonly<Record<ErrorType, ErrorRow>> = {
  AccessDenied: denied(exposed(403, 'error'), 'signin'),
  AccountNotLinked: denied(exposed(403, 'signIn'), 'signin'),
  AdapterError: outage,
  CallbackRouteError: failedSignIn(hidden(500)),
  ChallengeRequired: denied(exposed(403, 'signIn'), 'attempt.limited'),
  ContentTooLarge: exposed(413, 'none'),
  CredentialsSignin: failedSignIn(exposed(401, 'signIn')),
  DuplicateConditionalUI: configuration,
  EmailSignInError: unreachable,
  ErrorPageLoop: configuration,
  EventError: outage,
  ExperimentalFeatureNotEnabled: configuration,
  InvalidCallbackUrl: { status: 400, page: 'error', type: 'hidden', level: 'info' },
  InvalidCheck: failedSignIn({ ...exposed(400, 'signIn'), retryable: true }),
  InvalidConfiguration: configuration,
  InvalidEndpoints: configuration,
  InvalidProvider: exposed(404, 'none'),
  InvalidRequest: exposed(400, 'none'),
  JWTSessionError: outage,
  LastSignInMethod: denied(exposed(409, 'none'), 'factor.removed'),
  MethodNotAllowed: exposed(405, 'none'),
  MissingAdapter: configuration,
  MissingAdapterMethods: configuration,
  MissingAuthorize: configuration,
  MissingCSRF: denied({ ...exposed(403, 'signIn'), retryable: true }, 'csrf.refused'),
  MissingSecretError: configuration,
  MissingWebAuthnAutocomplete: configuration,
  OAuthAccountNotLinked: denied(exposed(403, 'signIn'), 'signin'),
  OAuthCallbackError: failedSignIn({ status: 502, page: 'signIn', type: 'exposed', level: 'warn' }),
  OAuthProfileParseError: failedSignIn(hidden(502)),
  OAuthSignInError: unreachable,
  RequestTimeout: { ...exposed(408, 'none'), retryable: true },
  SessionTokenError: outage,
  SessionTooLarge: failedSignIn(hidden(500)),
  SessionUnavailable: { ...outage, type: 'exposed' },
  SignOutError: { ...outage, audit: 'signout' },
  TemporarilyUnavailable: { ...outage, type: 'exposed', level: 'warn' },
  TooManyAttempts: denied(exposed(429, 'signIn'), 'attempt.limited'),
  UnknownAction: exposed(404, 'none'),
  UnsupportedMediaType: exposed(415, 'none'),
  UnsupportedStrategy: configuration,
  UntrustedHost: { ...configuration, status: 400 },
  Verification: failedSignIn(exposed(403, 'error')),
  WebAuthnVerificationError: failedSignIn(exposed(403, 'error')),
}

/** An `EmailSignInError` for a rejected address is an error of the user. */
const invalidAddress: ErrorRow = failedSignIn({
  ...exposed(400, 'signIn'),
  code: 'invalid_address',
})

/** A `Verification` for a rejected code: the user can try again where codes are entered. */
const invalidCode: ErrorRow = failedSignIn({
  ...exposed(403, 'verifyRequest'),
  code: 'invalid_code',
})

/** The session cannot link accounts and passkeys until the user signs in again. */
const sessionCannotLink: ErrorRow = denied(
  { ...exposed(403, 'signIn'), code: 'session_cannot_link' },
  'signin',
)

const variants: readonly (readonly [type: ErrorType, row: ErrorRow])[] = [
  ['EmailSignInError', invalidAddress],
  ['Verification', invalidCode],
  ['OAuthAccountNotLinked', sessionCannotLink],
  ['AccountNotLinked', sessionCannotLink],
]

/** An `OAuthCallbackError` after the user cancelled at the provider, or was not signed in there (`prompt=none`). */
const declined: ErrorRow = { ...errorTable.OAuthCallbackError, level: 'info' }

export function isErrorType(type: string): type is ErrorType {
  return Object.hasOwn(errorTable, type)
}

/** Also accepts errors of another copy of the library; `null` for an error without a row. */
export function rowOf(error: unknown): ErrorRow | null {
  if (!(error instanceof Error) || !('type' in error) || typeof error.type !== 'string') return null
  if (error.type === 'MissingSecret') return errorTable.MissingSecretError
  const { code, isDeclined }: Readonly<Record<string, unknown>> = Object(error.cause)
  if (error.type === 'OAuthCallbackError' && isDeclined === true) return declined
  for (const [type, row] of variants) if (error.type === type && code === row.code) return row
  return isErrorType(error.type) ? errorTable[error.type] : null
}

/** Also accepts an error of another copy of the library, which fails `instanceof`. */
export function isCredentialsSignin(error: unknown): error is Error & { readonly code?: string } {
  return error instanceof Error && 'type' in error && error.type === 'CredentialsSignin'
}

/** Whether only the developer can fix the error. */
export function isConfigurationError(error: unknown): boolean {
  const row = rowOf(error)
  return row?.page === 'none' && row.type === 'hidden'
}
