/** The proxy (middleware): reads the session and evaluates `authorized`. */
import type { NextRequest } from 'next/server.js'
import { lazily } from '../cache.ts'
import { rowOf } from '../errors/table.ts'
import { readSession, setCookieHeader } from '../get-session.ts'
import type { SessionReading } from '../get-session.ts'
import type { ResponseCookie, Session } from '../types.ts'
import { recognizeBasePath } from './base-path.ts'
import type { ConfigFor, PreparedConfig } from './config.ts'
import { decodedRequest, normalizePath } from './decoded-path.ts'
import { continuesToPage, cookieName, overrideHeaders } from './forward-cookies.ts'
import { isDataRequest, isNavigation, locate } from './location.ts'
import type { Place } from './location.ts'
import { isResponse } from './shape.ts'
import type { AuthHandler, LibRequest } from './types.ts'

/** CDNs prefer `CDN-Cache-Control` (RFC 9213); the page may overwrite `Cache-Control`. */
const NOT_SHARED = { 'cache-control': 'private, no-store', 'cdn-cache-control': 'no-store' }

/** With exactly this content type, Next shows the text if a server action fails. */
const PLAIN_TEXT = { ...NOT_SHARED, 'content-type': 'text/plain' }

function cookiesFor({ headers }: Response, { cookies }: SessionReading): ResponseCookie[] {
  const own = new Set(headers.getSetCookie().map(cookieName))
  return cookies.filter(({ name }) => !own.has(name))
}

/** Same as `NextResponse.next()`, without adding its module to the bundle. */
function continueToPage(): Response {
  return new Response(null, { headers: { 'x-middleware-next': '1' } })
}

function withHeaders(response: Response, changes: Readonly<Record<string, string>>): Response {
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(changes)) headers.set(name, value)
  const { status, statusText } = response
  return new Response(response.body, { status, statusText, headers })
}

/** Forbids shared caching of the response. */
export function notShared(response: Response): Response {
  return withHeaders(response, NOT_SHARED)
}

/** Adds the cookies of the session for browser and page, and then forbids shared caching. */
export function withCookies(
  response: Response,
  request: Request,
  reading: SessionReading,
): Response {
  const cookies = cookiesFor(response, reading).map(setCookieHeader)
  if (cookies.length === 0) return response
  const changed = notShared(response)
  const { headers } = changed
  for (const [name, value] of overrideHeaders(response, request, cookies)) headers.set(name, value)
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return changed
}

/** Next accepts only absolute redirects from a proxy. */
function withFullLocation(response: Response, place: Place): Response {
  const location = response.headers.get('location')
  return location === null || URL.canParse(location)
    ? response
    : withHeaders(response, { location: place.resolve(location) })
}

// Loaded on demand: needed only during an outage.
const loadFailure = lazily(() => import('../failure.ts'))

interface SessionUse<T> {
  readonly read: () => Promise<T>
  readonly use: (session: T) => Promise<Response>
}

/** Responds with 503 if the session cannot be read. @throws errors of the application, for Next to handle */
export async function withSession<T>(
  request: NextRequest,
  { theme }: PreparedConfig,
  { read, use }: SessionUse<T>,
): Promise<Response> {
  let session: T
  try {
    session = await read()
  } catch (error) {
    if (!rowOf(error)) throw error
    const { sessionFailureResponse } = await loadFailure()
    const reads = isNavigation(request) ? 'page' : 'text'
    return notShared(await sessionFailureResponse(error, { request, reads, theme }))
  }
  return use(session)
}

export function readRequestSession(
  { headers, url }: NextRequest,
  config: PreparedConfig,
): Promise<SessionReading> {
  return readSession({ headers, url: new URL(url) }, config)
}

function rejectUnauthenticated(request: NextRequest, { signInUrl }: Place): Response {
  if (isDataRequest(request))
    return new Response('Sign in first.', { status: 401, headers: { ...PLAIN_TEXT } })
  const status = request.method === 'GET' || request.method === 'HEAD' ? 307 : 303
  return new Response(null, { status, headers: { ...NOT_SHARED, location: signInUrl } })
}

type Decision = Response | 'pass' | 'reject'

async function authorize(
  request: NextRequest,
  auth: Session | null,
  { callbacks }: PreparedConfig,
): Promise<Decision> {
  if (!callbacks?.authorized) return 'pass'
  const answer = await callbacks.authorized({ request, auth })
  if (isResponse(answer)) return answer
  return answer ? 'pass' : 'reject'
}

function passes(answer: Decision): boolean {
  return isResponse(answer) ? continuesToPage(answer) : answer === 'pass'
}

/** Evaluates `authorized` for both spellings of the path. */
async function authorizeBothPaths(
  request: NextRequest,
  auth: Session | null,
  config: PreparedConfig,
): Promise<Decision> {
  const answer = await authorize(request, auth, config)
  const other = passes(answer) && decodedRequest(request)
  if (!other) return answer
  const second = await authorize(other, auth, config)
  return passes(second) ? answer : second
}

function leavesPage({ headers }: Response): boolean {
  return headers.has('location') || headers.has('x-middleware-rewrite')
}

/** Prevents a lockout: `authorized` cannot block routes of the library or the sign-in page, or redirect in a loop. */
function preventLockout(answer: Decision, place: Place): Decision {
  if (!isResponse(answer)) return place.isPublic ? 'pass' : answer
  if (place.isRoute) return leavesPage(answer) ? 'pass' : answer
  const location = answer.headers.get('location')
  return location !== null && place.isLoop(location) ? 'pass' : answer
}

export function withAuth(request: NextRequest, auth: Session | null): LibRequest {
  return Object.assign(request, { auth })
}

export interface ProxyCall {
  readonly request: NextRequest
  readonly event: unknown
  readonly handler?: AuthHandler<unknown>
}

export async function runProxy(configFor: ConfigFor, call: ProxyCall): Promise<Response> {
  const { request, event, handler } = call
  recognizeBasePath(request)
  const sent = normalizePath(request)
  const config = await configFor(() => request)
  return withSession(request, config, {
    read: () => readRequestSession(request, config),
    async use(reading) {
      const { session } = reading
      // Uses the address as sent: another spelling of a public path is authorized like any other page.
      const place = locate(sent, reading.site, config.pages)
      const decision = preventLockout(await authorizeBothPaths(request, session, config), place)
      const finish = (response: Response) =>
        withCookies(withFullLocation(response, place), request, reading)
      if (isResponse(decision)) return finish(decision)
      if (decision === 'reject' && !(handler && config.authorizedInHandler))
        return finish(rejectUnauthenticated(request, place))
      return finish((await handler?.(withAuth(request, session), event)) ?? continueToPage())
    },
  })
}
