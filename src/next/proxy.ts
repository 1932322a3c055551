/** Stands before pages: says who asks, and lets through who may. */
import type { NextRequest } from 'next/server.js'
import { rowOf } from '../errors/table.ts'
import { readSession, setCookieHeader } from '../get-session.ts'
import type { SessionReading } from '../get-session.ts'
import { lazily } from '../lazily.ts'
import type { ResponseCookie, Session } from '../types.ts'
import type { ConfigFor, PreparedConfig } from './config.ts'
import { cookieName } from './cookie-header.ts'
import { decodedRequest, normalizePath } from './decoded-path.ts'
import { forwardedHeaders, goesOn } from './forward.ts'
import { isDataRequest, isNavigation, locate } from './location.ts'
import type { Place } from './location.ts'
import { correctAddress } from './mount.ts'
import { isResponse } from './shape.ts'
import type { AuthHandler, LibRequest } from './types.ts'

/** The second is for those who look at nothing else: the page may say what it likes in the first (RFC 9213). */
const NOT_SHARED = { 'cache-control': 'private, no-store', 'cdn-cache-control': 'no-store' }

/** What goes with a sentence; spelled so, Next shows it where a server action fails. */
const SENTENCE = { ...NOT_SHARED, 'content-type': 'text/plain' }

/** Our cookies, but for those the response sets itself. */
function cookiesFor({ headers }: Response, { cookies }: SessionReading): ResponseCookie[] {
  const own = new Set(headers.getSetCookie().map(cookieName))
  return cookies.filter(({ name }) => !own.has(name))
}

/** Lets the request go on: what `NextResponse.next()` makes, without all that comes with it into a bundle. */
function goOn(): Response {
  return new Response(null, { headers: { 'x-middleware-next': '1' } })
}

/** The response, which nobody else may keep. */
export function notShared(response: Response): Response {
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(NOT_SHARED)) headers.set(name, value)
  const { status, statusText } = response
  return new Response(response.body, { status, statusText, headers })
}

/** Adds our cookies, for the browser and for the page; then nobody else may keep the response. */
export function withCookies(
  response: Response,
  request: Request,
  reading: SessionReading,
): Response {
  const cookies = cookiesFor(response, reading).map(setCookieHeader)
  if (cookies.length === 0) return response
  const changed = notShared(response)
  const { headers } = changed
  for (const [name, value] of forwardedHeaders(response, request, cookies)) headers.set(name, value)
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return changed
}

/** A redirect in full: Next takes no other from a proxy. */
function withFullLocation(response: Response, place: Place): Response {
  const location = response.headers.get('location')
  if (location === null || URL.canParse(location)) return response
  const headers = new Headers(response.headers)
  headers.set('location', place.resolve(location))
  const { status, statusText } = response
  return new Response(response.body, { status, statusText, headers })
}

// A proxy starts without the page, which it needs only during an outage.
const loadFailure = lazily(() => import('../session-failure.ts'))

/**
 * The answer when the session could not be read. The request does not pass.
 *
 * @throws what is not an error of the library, for Next to handle
 */
export async function unavailable(
  error: unknown,
  request: NextRequest,
  { theme }: PreparedConfig,
): Promise<Response> {
  if (!rowOf(error)) throw error
  const { answerSessionFailure } = await loadFailure()
  const reads = isNavigation(request) ? 'page' : 'text'
  return notShared(answerSessionFailure(error, request, { reads, theme }))
}

/** The answer for somebody who may not pass: the way to sign in, or that it takes signing in. */
function refuse(request: NextRequest, { signInUrl }: Place): Response {
  if (isDataRequest(request))
    return new Response('Sign in first.', { status: 401, headers: { ...SENTENCE } })
  const status = request.method === 'GET' || request.method === 'HEAD' ? 307 : 303
  return new Response(null, { status, headers: { ...NOT_SHARED, location: signInUrl } })
}

type Verdict = Response | 'pass' | 'refuse'

/** What `authorized` says: let pass, refuse, or a response of its own. */
async function verdict(
  request: NextRequest,
  auth: Session | null,
  { callbacks }: PreparedConfig,
): Promise<Verdict> {
  if (!callbacks?.authorized) return 'pass'
  const answer = await callbacks.authorized({ request, auth })
  if (isResponse(answer)) return answer
  return answer ? 'pass' : 'refuse'
}

/** Whether a page is rendered then. */
function passes(answer: Verdict): boolean {
  return isResponse(answer) ? goesOn(answer) : answer === 'pass'
}

/** The same for every way in which a page may read the path. */
async function wholeVerdict(
  request: NextRequest,
  auth: Session | null,
  config: PreparedConfig,
): Promise<Verdict> {
  const answer = await verdict(request, auth, config)
  const other = passes(answer) && decodedRequest(request)
  if (!other) return answer
  const second = await verdict(other, auth, config)
  return passes(second) ? answer : second
}

/** Whether somebody gets another page than they asked for. */
function isElsewhere({ headers }: Response): boolean {
  return headers.has('location') || headers.has('x-middleware-rewrite')
}

/** The same without what would lock everybody out: nothing stands before what has to be open. */
function bounded(answer: Verdict, place: Place): Verdict {
  if (!isResponse(answer)) return place.isOpen ? 'pass' : answer
  if (place.isRoute) return isElsewhere(answer) ? 'pass' : answer
  const location = answer.headers.get('location')
  return location !== null && place.isLoop(location) ? 'pass' : answer
}

/** The request, telling who sent it. */
export function withAuth(request: NextRequest, auth: Session | null): LibRequest {
  return Object.assign(request, { auth })
}

/** What a proxy works with. */
export interface ProxyCall {
  readonly request: NextRequest
  /** What Next passed along; the handler gets it as it is. */
  readonly event: unknown
  readonly handler?: AuthHandler<unknown>
}

/** Answers as the proxy: refuses, hands on to the handler of the application, or lets the request go on. */
export async function runProxy(configFor: ConfigFor, call: ProxyCall): Promise<Response> {
  const { request, event, handler } = call
  correctAddress(request)
  const sent = normalizePath(request)
  const config = await configFor(() => request)
  let reading: SessionReading
  try {
    reading = await readSession({ headers: request.headers, url: new URL(request.url) }, config)
  } catch (error) {
    return unavailable(error, request, config)
  }
  const { session } = reading
  // What is open is open as it is spelled here: another spelling is asked for like any other page.
  const place = locate(sent, reading.site, config.pages)
  const answer = bounded(await wholeVerdict(request, session, config), place)
  const finish = (response: Response) =>
    withCookies(withFullLocation(response, place), request, reading)
  if (isResponse(answer)) return finish(answer)
  if (answer === 'refuse' && !(handler && config.authorizedInHandler))
    return finish(refuse(request, place))
  return finish((await handler?.(withAuth(request, session), event)) ?? goOn())
}
