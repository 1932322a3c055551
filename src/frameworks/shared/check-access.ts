/** Decides whether a request may reach a protected route. */
import { AccessDenied, InvalidRequest } from '../../core/errors/classes.ts'
import { isSamePage } from '../../core/http/path.ts'
import type { Session } from '../../core/types.ts'
import type { ConfigFor, PreparedConfig } from './config-source.ts'
import { NOT_SHARED, withHeaders } from './cookies.ts'
import { requireProtectOptions } from './misuse.ts'
import type { RequestAdapter } from './request-adapter.ts'
import { failureResponse, isDataRequest, isResponse, redirectToSignIn } from './responses.ts'
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

interface AccessContext<Req extends object> {
  readonly configFor: ConfigFor<Req>
  readonly adapter: RequestAdapter<Req>
  readonly read: SessionReader<Req>
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
  { configFor, adapter, read }: AccessContext<Req>,
): Promise<Session | null | Response> {
  requireProtectOptions(options)
  const { allow } = options
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
  if (!answer || (allow && !session)) {
    if (adapter.isDataRequest?.(req) ?? isDataRequest(headers))
      return Response.json({ error: 'SessionRequired' }, { status: 401, headers: NOT_SHARED })
    signIn.searchParams.set('callbackUrl', url.href)
    return redirectToSignIn(method, signIn.href)
  }
  // Any value except `true`, such as a response, is a mistake and must not admit the user.
  const allowed: unknown = session && allow ? await allow(session, req) : true
  if (allowed === true) return session
  const denied = new AccessDenied('protect({ allow }) rejected the signed-in user.')
  return failureResponse(denied, { method, headers, url }, config)
}
