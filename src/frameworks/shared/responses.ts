/** The responses of a wrapper to protected pages and to calls of `signIn` and `signOut`. */
import { lazily } from '../../core/async/cache.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import { findErrorRow } from '../../core/errors/table.ts'
import { NOT_SHARED, withHeaders } from './cookies.ts'

// Loaded on demand: needed only for a failure.
const loadFailure = lazily(() => import('../../core/failure.ts'))

/** The result of a sign-in or sign-out: where to go, and whether the caller asked for a redirect. */
export interface Target {
  readonly url: string
  readonly redirects: boolean
}

/** The part of a request that decides about a response. */
export interface RequestInfo {
  readonly method: string
  readonly headers: Headers
  readonly url: URL
}

/** 303, because the browser must not repeat the POST (RFC 9110 §15.4.4). */
const SEE_OTHER = 303

/**
 * Whether the value is a `Response`. Without `instanceof`: some servers replace the global class, of which responses that
 * the platform created, such as those of `Response.json()` and `fetch()`, are not instances.
 */
export function isResponse(value: unknown): value is Response {
  return (
    typeof value === 'object' &&
    value !== null &&
    'status' in value &&
    'headers' in value &&
    'body' in value
  )
}

/** Redirects if the caller asked for it. @returns the URL */
export function redirectAfterPost(
  { url, redirects }: Target,
  redirect: (url: string, status: number) => void,
): string {
  if (redirects) redirect(url, SEE_OTHER)
  return url
}

/** The redirect, or the URL as JSON. */
export function answerCall(
  { url, redirects }: Target,
  headers: Record<string, string> = {},
): Response {
  return redirects
    ? new Response(null, { status: SEE_OTHER, headers: { ...headers, location: url } })
    : Response.json({ url })
}

/**
 * Whether a script sent the request, which cannot follow a redirect to a page.
 *
 * @param scriptHeaders - headers that scripts of the framework send
 */
export function isDataRequest(headers: Headers, scriptHeaders: readonly string[] = []): boolean {
  const destination = headers.get('sec-fetch-dest')
  if (destination !== null && destination !== 'document') return !destination.includes('frame')
  if (scriptHeaders.some((name) => headers.has(name))) return true
  const accept = headers.get('accept') ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

/** @param found - the status for a page, which the browser requests again with GET */
export function redirectToSignIn(
  method: string,
  location: string,
  found: 302 | 307 = 302,
): Response {
  const status = method === 'GET' || method === 'HEAD' ? found : SEE_OTHER
  return new Response(null, { status, headers: { ...NOT_SHARED, location } })
}

/**
 * The response for one of our errors, such as an outage while the session is read.
 *
 * @throws every other error, for the framework to handle
 */
export async function failureResponse(
  error: unknown,
  { method, headers, url }: RequestInfo,
  { theme }: Pick<AuthConfig, 'theme'>,
  scriptHeaders: readonly string[] = [],
): Promise<Response> {
  if (!(error instanceof Error && findErrorRow(error))) throw error
  const { sessionFailureResponse } = await loadFailure()
  const request = new Request(url, { method: method === 'HEAD' ? 'HEAD' : 'GET', headers })
  const isPage =
    !isDataRequest(headers, scriptHeaders) && (headers.get('accept') ?? '').includes('text/html')
  const reads = isPage ? 'page' : 'text'
  return withHeaders(await sessionFailureResponse(error, request, { reads, theme }), NOT_SHARED)
}
