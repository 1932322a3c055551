import type { Reply } from '../contracts.ts'
import { AuthError } from '../errors/base.ts'
import { rowOf } from '../errors/table.ts'
import type { ErrorRow } from '../errors/table.ts'
import { pageUrl } from './page-url.ts'
import type { PageSite } from './page-url.ts'

export interface ErrorDescription {
  /** The type of the error if it is exposed, else `Configuration` or `TemporarilyUnavailable`. */
  readonly error: string
  readonly status: number
  readonly row: ErrorRow
  /** A detail beyond the type: the `code` of a `CredentialsSignin`, or that of the row. */
  readonly code?: string
  readonly message?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** For errors that have no row in the error table. */
const UNFORESEEN: ErrorRow = { status: 500, page: 'error', type: 'hidden', level: 'error' }

function textOf(error: unknown, key: 'type' | 'code'): string | undefined {
  if (!(error instanceof Error)) return undefined
  const value: unknown = Reflect.get(error, key)
  return typeof value === 'string' && value ? value : undefined
}

/** Headers for clients (RFC 9110 §10.2.1, §10.2.3). */
function headersOf(error: unknown, status: number): Record<string, string> | undefined {
  if (status === 503) return { 'retry-after': '2' }
  const allow = error instanceof AuthError ? error.cause?.['allow'] : undefined
  return typeof allow === 'string' ? { allow } : undefined
}

function messageOf(error: unknown, type: string | undefined): string | undefined {
  const message: unknown = type === 'UnknownAction' && Object(error).cause?.publicMessage
  return typeof message === 'string' ? message : undefined
}

/** Replaces a type that is not exposed by one that shows whether a retry can succeed. */
function hiddenName({ retryable }: ErrorRow): string {
  return retryable ? 'TemporarilyUnavailable' : 'Configuration'
}

export function describeError(error: unknown): ErrorDescription {
  const row = rowOf(error) ?? UNFORESEEN
  const type = textOf(error, 'type')
  const code = type === 'CredentialsSignin' ? textOf(error, 'code') : row.code
  const message = messageOf(error, type)
  const headers = headersOf(error, row.status)
  return {
    error: row.type === 'exposed' && type ? type : hiddenName(row),
    status: row.status,
    row,
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    ...(headers && { headers }),
  }
}

/** Messages for programs; they disclose no more than the type. */
const messages: Readonly<Record<string, string>> = {
  Configuration: 'There is a problem with the server configuration. Check the server logs.',
  MissingCSRF: 'The CSRF token is missing or stale. Get a new one and repeat the request.',
  invalid_address: 'The e-mail address is not valid.',
  CredentialsSignin: 'The credentials were not accepted.',
  AccessDenied: 'You do not have permission to sign in.',
  UnknownAction: 'The route does not exist.',
  MethodNotAllowed: 'The route does not accept this method.',
  InvalidProvider: 'The provider does not exist.',
  InvalidRequest: 'The request is malformed.',
  ContentTooLarge: 'The request is too large.',
  UnsupportedMediaType: 'The body must be a URL-encoded form or JSON.',
  RequestTimeout: 'The request body was not received in time.',
  SessionUnavailable: 'The session cannot be read right now. Try again.',
  TemporarilyUnavailable: 'A service did not respond in time. Try again.',
}

export function messageFor({ error, row, message }: ErrorDescription): string {
  return message ?? messages[row.code ?? error] ?? 'The sign-in failed.'
}

export function jsonError(description: ErrorDescription): Reply {
  const { error, status, row, code, headers } = description
  const retryable = row.retryable ?? false
  const body = {
    error,
    message: messageFor(description),
    ...(code !== undefined && { code }),
    retryable,
  }
  return { status, body, ...(headers && { headers }) }
}

export function redirectError(
  { error, code }: ErrorDescription,
  page: 'signIn' | 'error',
  site: PageSite,
): Reply & { readonly redirect: string } {
  const url = pageUrl(page, site)
  url.searchParams.set('error', error)
  if (code !== undefined) url.searchParams.set('code', code)
  return { status: 302, redirect: url.href }
}
