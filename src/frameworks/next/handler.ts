/** Handlers with a session: the proxy (middleware), which also evaluates `authorized`, and route handlers. */
import type { NextRequest } from 'next/server.js'
import { readSession } from '../../core/get-session.ts'
import { lazily } from '../../core/async/cache.ts'
import type { Awaitable, ResponseCookie, Session } from '../../core/types.ts'
import { forConfig } from './config.ts'
import type { ConfigFor, PreparedConfig } from './config.ts'
import { appRequest } from './current-request.ts'
import type { CurrentRequest } from './current-request.ts'
import { missingCookies, NOT_SHARED, withCookies, withHeaders } from '../shared/cookies.ts'
import type { CookieExchange } from '../shared/cookies.ts'
import {
  failureResponse,
  isDataRequest,
  isResponse,
  redirectToSignIn,
} from '../shared/responses.ts'
import { continuesToPage, overrideCookies } from './forward-cookies.ts'
import { locate, normalizePath, otherSpellings, setOrigin, setUrl } from './path.ts'
import type { Place } from './path.ts'
import type { AuthHandler, LibRequest } from './types.ts'

const loadTokens = lazily(() => import('./refresh-tokens.ts'))

export type SessionReader = (current: CurrentRequest) => Promise<Session | null>

interface Call {
  readonly request: NextRequest
  readonly context: unknown
  readonly handler?: AuthHandler<unknown>
}

/** Adds the cookies of the session for browser and page. */
function addCookies(
  response: Response,
  request: Request,
  changes: readonly ResponseCookie[],
): Response {
  const cookies = missingCookies(changes, response.headers.getSetCookie())
  const changed = withCookies(response, cookies)
  if (changed !== response) overrideCookies(changed, request, cookies)
  return changed
}

/** Next accepts only absolute redirects from a proxy. */
function withFullLocation(response: Response, place: Place): Response {
  const location = response.headers.get('location')
  return location === null || URL.canParse(location)
    ? response
    : withHeaders(response, { location: place.resolve(location) })
}

/** Headers that scripts of Next send. */
const SCRIPT_HEADERS = ['rsc', 'next-action']

/** What `read` returns, or a response if the session cannot be read. @throws errors of the application */
async function readOrFail<T>(
  { method, headers, url: href }: NextRequest,
  config: PreparedConfig,
  read: (request: { headers: Headers; url: URL }) => Awaitable<T>,
): Promise<T | Response> {
  const url = new URL(href)
  try {
    return await read({ headers, url })
  } catch (error) {
    return failureResponse(error, { method, headers, url }, config, SCRIPT_HEADERS)
  }
}

function rejectUnauthenticated(request: NextRequest, { signInUrl }: Place): Response {
  // With exactly this content type, Next shows the text if a server action fails.
  const headers = { ...NOT_SHARED, 'content-type': 'text/plain' }
  if (isDataRequest(request.headers, SCRIPT_HEADERS))
    return new Response('Sign in first.', { status: 401, headers })
  return redirectToSignIn(request.method, signInUrl, 307)
}

/** A response to send, or whether the request may continue. */
type Decision = Response | boolean

/** Evaluates `authorized` for each spelling of the path: the first rejection, else the answer for the path as sent. */
async function authorize(
  request: NextRequest,
  auth: Session | null,
  { callbacks }: PreparedConfig,
): Promise<Decision> {
  if (!callbacks?.authorized) return true
  let first: Decision | undefined
  for (const spelling of [request, ...otherSpellings(request)]) {
    const answer = await callbacks.authorized({ request: spelling, auth })
    const decision = isResponse(answer) ? answer : Boolean(answer)
    const continues = isResponse(decision) ? continuesToPage(decision) : decision
    if (!continues) return decision
    first ??= decision
  }
  return first ?? false
}

/** Prevents a lockout: `authorized` cannot block routes of the library or the sign-in page, or redirect in a loop. */
function preventLockout(answer: Decision, place: Place): Decision {
  if (!isResponse(answer)) return place.isPublic || answer
  const location = answer.headers.get('location')
  const leavesPage = location !== null || answer.headers.has('x-middleware-rewrite')
  if (place.isRoute) return leavesPage || answer
  return (location !== null && place.isLoop(location)) || answer
}

function withAuth(request: NextRequest, auth: Session | null): LibRequest {
  return Object.assign(request, { auth })
}

export async function runProxy(configFor: ConfigFor, call: Call): Promise<Response> {
  const { request, context, handler } = call
  const sent = normalizePath(request)
  const config = await configFor(forConfig(request))
  const reading = await readOrFail(request, config, (caller) => readSession(caller, config))
  if (isResponse(reading)) return reading
  const { session, site } = reading
  // Uses the address as sent: another spelling of a public path is authorized like any other page.
  const place = locate(sent, site, config.pages)
  const decision = preventLockout(await authorize(request, session, config), place)
  const cookies = [...reading.cookies]
  const finish = (response: Response) =>
    addCookies(withFullLocation(response, place), request, cookies)
  if (isResponse(decision)) return finish(decision)
  if (!decision && !(handler && config.authorizedInHandler))
    return finish(rejectUnauthenticated(request, place))
  if (session && !place.isRoute && config.tokens?.refreshInProxy)
    cookies.push(...(await (await loadTokens()).refreshTokens(request, config)))
  const response = await handler?.(withAuth(request, session), context)
  // As `NextResponse.next()`, without its module in the bundle.
  return finish(response ?? new Response(null, { headers: { 'x-middleware-next': '1' } }))
}

async function callHandler(
  { request, context, handler }: Call,
  session: Session | null,
  { origin }: PreparedConfig,
): Promise<Response> {
  const { nextUrl } = request
  // The configured origin, for redirects. Not in a proxy: Next would fetch a rewrite from that origin.
  if (origin !== undefined && new URL(origin).origin !== nextUrl.origin)
    setUrl(request, setOrigin(nextUrl, origin))
  const response = await handler?.(withAuth(request, session), context)
  return response ?? new Response(null, { status: 204 })
}

export async function runRoute(
  configFor: ConfigFor,
  read: SessionReader,
  call: Call,
  cookies: CookieExchange<CurrentRequest>,
): Promise<Response> {
  const { request } = call
  const current = await appRequest('auth', request)
  const config = await configFor(current)
  const session = await readOrFail(request, config, () => read(current))
  if (isResponse(session)) return session
  const response = await callHandler(call, session, config)
  return cookies.pending(current).length === 0 ? response : withHeaders(response, NOT_SHARED)
}

export async function runEdgeRoute(configFor: ConfigFor, call: Call): Promise<Response> {
  const { request } = call
  const config = await configFor(forConfig(request))
  const reading = await readOrFail(request, config, (caller) => readSession(caller, config))
  if (isResponse(reading)) return reading
  return addCookies(await callHandler(call, reading.session, config), request, reading.cookies)
}
