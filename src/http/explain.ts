import type { PagesOptions } from '../config/types.ts'
import type { Reply } from '../contracts.ts'
import { AuthError } from '../errors/base.ts'
import { rowOf } from '../errors/table.ts'
import type { ErrorRow } from '../errors/table.ts'
import type { AuthAction } from '../types.ts'

/** What an error looks like to somebody who is not us. */
export interface Explanation {
  /** The type of the error where a browser may know it, else `Configuration`. */
  readonly error: string
  readonly status: number
  readonly row: ErrorRow
  /** What may be said beyond the type: the one of a `CredentialsSignin`, or of the row. */
  readonly code?: string
  /** A sentence for visitors in place of the one for the type. */
  readonly message?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Errors of a kind we did not foresee. */
const UNFORESEEN: ErrorRow = { status: 500, page: 'error', type: 'hidden', level: 'error' }

function textOf(error: unknown, key: 'type' | 'code'): string | undefined {
  if (!(error instanceof Error)) return undefined
  const value: unknown = Reflect.get(error, key)
  return typeof value === 'string' && value ? value : undefined
}

/** Headers that tell a program how to go on (RFC 9110 §10.2.1, §10.2.3). */
function headersOf(error: unknown, status: number): Record<string, string> | undefined {
  if (status === 503) return { 'retry-after': '2' }
  const allow = error instanceof AuthError ? error.cause?.['allow'] : undefined
  return typeof allow === 'string' ? { allow } : undefined
}

/** The path and the base path of a request for which there is no route. */
function messageOf(error: unknown, type: string | undefined): string | undefined {
  const shown: unknown = type === 'UnknownAction' && Object(error).cause?.shown
  return typeof shown === 'string' ? shown : undefined
}

/** What is said instead of a type that nobody may know: whether it helps to try again. */
function hiddenName({ retryable }: ErrorRow): string {
  return retryable ? 'TemporarilyUnavailable' : 'Configuration'
}

/** What may be said about an error. */
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

/** Sentences for callers that are programs; they tell no more than the type does. */
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

/** The sentence for callers that do not show a page. */
export function messageFor({ error, row, message }: Explanation): string {
  return message ?? messages[row.code ?? error] ?? 'Signing in did not work.'
}

/** The answer for a caller that reads JSON. */
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

/** Where the pages are. */
export interface Site {
  readonly origin: string
  readonly basePath: string
  readonly pages: PagesOptions
}

/** A page that an application can replace. */
export type ReplaceablePage = 'signIn' | 'signOut' | 'error' | 'verifyRequest'

const routes: Readonly<Record<ReplaceablePage, AuthAction>> = {
  signIn: 'signin',
  signOut: 'signout',
  error: 'error',
  verifyRequest: 'verify-request',
}

/** The built-in page, or the one that replaces it; relative ones are on the site. */
export function pageUrl(page: ReplaceablePage, { origin, basePath, pages }: Site): URL {
  return new URL(pages[page] ?? `${basePath}/${routes[page]}`, origin)
}

/** The answer for a browser that can be sent to a page. */
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

/** Routes that show a page. An error there is shown in place: a redirect could lead back. */
export function isPage(action: AuthAction | undefined): boolean {
  return (
    action === 'signin' || action === 'signout' || action === 'error' || action === 'verify-request'
  )
}
