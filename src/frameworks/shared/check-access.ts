/** Decides whether a request may reach a protected route. */
import type { AuthRequirement } from '../../core/assurance/assured.ts'
import { AccessDenied, InvalidRequest } from '../../core/errors/classes.ts'
import { isSamePage } from '../../core/http/path.ts'
import type { Session } from '../../core/types.ts'
import { lazily } from '../../core/async/cache.ts'
import type { CallContext } from './calls.ts'
import type { PreparedConfig } from './config-source.ts'
import { NOT_SHARED, withHeaders } from './cookies.ts'
import { requireProtectOptions } from './misuse.ts'
import { failureResponse, isDataRequest, isResponse, redirectToSignIn } from './responses.ts'
import type { RequestInfo } from './responses.ts'
import type { SessionReader } from './session-reader.ts'
import { listSpellings } from './spellings.ts'
import type { ProtectOptions } from './types.ts'

/** What a URL parser and a router read differently: dot segments, backslashes, an absolute target, `//host` (WHATWG URL §4.4). */
const AMBIGUOUS = /^(?!\/)|^\/\/|\\|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i

/** Also with its escapes decoded, as routers read it, and if they cannot be decoded. */
function isAmbiguous(path: string): boolean {
  try {
    return [path, decodeURIComponent(path)].some((each) => AMBIGUOUS.test(each))
  } catch {
    return true
  }
}

/** Evaluates `authorized` for every spelling of the path. Without the callback, a session is sufficient. */
async function isAuthorized<Req>(
  request: Req,
  auth: Session | null,
  spellings: Iterable<URL>,
  { callbacks }: PreparedConfig<Req>,
): Promise<Response | boolean> {
  if (!callbacks?.authorized) return auth !== null
  for (const url of spellings) {
    const answer = await callbacks.authorized({ request, url, auth })
    if (isResponse(answer)) return answer
    if (!answer) return false
  }
  return true
}

// Most pages have no requirement.
const loadSessionCalls = lazily(() => import('./session-calls.ts'))

interface AccessContext<Req extends object> extends Pick<
  CallContext<Req>,
  'configFor' | 'adapter' | 'cookies'
> {
  readonly read: SessionReader<Req>
}

interface Visit extends RequestInfo {
  /** Whether a script sent the request. */
  readonly isData: boolean
}

/** The response to a signed-in user who has to confirm who they are; `null` if the session meets the requirement. */
async function checkRequirement<Req extends object>(
  req: Req,
  requires: AuthRequirement,
  { method, isData }: Visit,
  context: AccessContext<Req>,
): Promise<Response | null> {
  const missing = await (await loadSessionCalls()).findStepUp(req, requires, context)
  if (!missing) return null
  const { url, type, status, headers } = missing
  if (!isData) return redirectToSignIn(method, url)
  return Response.json({ error: type, url }, { status, headers: { ...headers, ...NOT_SHARED } })
}

/**
 * Returns the session if the request may continue; it is `null` on built-in routes, on the sign-in page, and without
 * `allow` where `authorized` admits unauthenticated users. Otherwise returns the response to send.
 *
 * @throws errors of the application
 */
export async function checkAccess<Req extends object>(
  req: Req,
  method: string,
  options: ProtectOptions<Req>,
  context: AccessContext<Req>,
): Promise<Session | null | Response> {
  requireProtectOptions(options)
  const { configFor, adapter, read } = context
  const { allow, requires } = options
  const headers = adapter.headers(req)
  const sent = adapter.url?.(req) ?? new URL('http://localhost/')
  const config = await configFor(req)
  const routed = adapter.routed?.(req)
  let reading
  try {
    const path = adapter.path?.(req) ?? sent.pathname
    if (isAmbiguous(path) || (routed !== undefined && isAmbiguous(routed)))
      throw new InvalidRequest(
        'The path is ambiguous: it has dot segments, backslashes or an invalid escape, or begins with two slashes or an origin.',
      )
    reading = await read(req)
  } catch (error) {
    return failureResponse(error, { method, headers, url: sent }, config)
  }
  const { session, site } = reading
  const url = new URL(site.origin + sent.pathname + sent.search)
  const signIn = new URL(config.pages?.signIn ?? `${site.basePath}/signin`, site.origin)
  if (site.isRoute(url.pathname) || isSamePage(url, signIn)) return session
  const spellings = listSpellings(url, { routed, ignored: adapter.ignored?.(req) })
  const answer = await isAuthorized(req, session, spellings, config)
  if (isResponse(answer)) return withHeaders(answer, NOT_SHARED)
  const isData = adapter.isDataRequest?.(req) ?? isDataRequest(headers)
  if (!answer || ((allow || requires) && !session)) {
    if (isData)
      return Response.json({ error: 'SessionRequired' }, { status: 401, headers: NOT_SHARED })
    signIn.searchParams.set('callbackUrl', url.href)
    return redirectToSignIn(method, signIn.href)
  }
  // Any value except `true`, such as a response, is a mistake and must not admit the user.
  const allowed: unknown = session && allow ? await allow(session, req) : true
  if (allowed !== true) {
    const denied = new AccessDenied('protect({ allow }) rejected the signed-in user.')
    return failureResponse(denied, { method, headers, url }, config)
  }
  const stepUp = config.pages?.stepUp
  const isStepUp = stepUp !== undefined && isSamePage(url, new URL(stepUp, site.origin))
  if (!requires || isStepUp) return session
  try {
    const visit = { method, headers, url, isData }
    return (await checkRequirement(req, requires, visit, context)) ?? session
  } catch (error) {
    return failureResponse(error, { method, headers, url }, config)
  }
}
