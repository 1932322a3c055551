import type { PagesOptions } from '../config/types.ts'
import type { Reply } from '../contracts.ts'
import { AuthError } from '../errors/base.ts'
import { rowOf } from '../errors/table.ts'
import type { ErrorRow } from '../errors/table.ts'
import type { AuthAction } from '../types.ts'

export interface Explanation {
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
  const shown: unknown = type === 'UnknownAction' && Object(error).cause?.shown
  return typeof shown === 'string' ? shown : undefined
}

/** Replaces a type that is not exposed; tells clients whether a retry can succeed. */
function hiddenName({ retryable }: ErrorRow): string {
  return retryable ? 'TemporarilyUnavailable' : 'Configuration'
}

export function explain(error: unknown): Explanation {
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
  invalid_address: 'No mail can be sent to that address.',
  CredentialsSignin: 'The credentials were not accepted.',
  AccessDenied: 'You do not have permission to sign in.',
  UnknownAction: 'There is no such route.',
  MethodNotAllowed: 'This route does not have that method.',
  InvalidProvider: 'There is no such provider.',
  InvalidRequest: 'The request is malformed.',
  ContentTooLarge: 'The request is too large.',
  UnsupportedMediaType: 'Send a form or JSON.',
  RequestTimeout: 'The request took too long to arrive.',
  SessionUnavailable: 'The session cannot be read right now. Try again.',
  TemporarilyUnavailable: 'Something did not answer in time. Try again.',
}

export function messageFor({ error, row, message }: Explanation): string {
  return message ?? messages[row.code ?? error] ?? 'Signing in did not work.'
}

export function explainToProgram(explanation: Explanation): Reply {
  const { error, status, row, code, headers } = explanation
  const retryable = row.retryable ?? false
  const body = {
    error,
    message: messageFor(explanation),
    ...(code !== undefined && { code }),
    retryable,
  }
  return { status, body, ...(headers && { headers }) }
}

export interface Site {
  readonly origin: string
  readonly basePath: string
  readonly pages: PagesOptions
}

export type ReplaceablePage = 'signIn' | 'signOut' | 'error' | 'verifyRequest'

const routes: Readonly<Record<ReplaceablePage, AuthAction>> = {
  signIn: 'signin',
  signOut: 'signout',
  error: 'error',
  verifyRequest: 'verify-request',
}

/** URL of the configured page, which may be relative, or of the built-in one. */
export function pageUrl(page: ReplaceablePage, { origin, basePath, pages }: Site): URL {
  return new URL(pages[page] ?? `${basePath}/${routes[page]}`, origin)
}

export function explainByRedirect(
  { error, code }: Explanation,
  page: 'signIn' | 'error',
  site: Site,
): Reply & { readonly redirect: string } {
  const url = pageUrl(page, site)
  url.searchParams.set('error', error)
  if (code !== undefined) url.searchParams.set('code', code)
  return { status: 302, redirect: url.href }
}

/** An error on these routes is shown in place, because a redirect could loop. */
export function isPage(action: AuthAction | undefined): boolean {
  return (
    action === 'signin' || action === 'signout' || action === 'error' || action === 'verify-request'
  )
}
