/** Decides whether a request may reach a protected route. */
import { parseURL } from '../errors/address.ts'
import { AccessDenied, InvalidRequest } from '../errors/classes.ts'
import { isSamePage } from '../http/path.ts'
import type { Session } from '../types.ts'
import type { ConfigFor, PreparedConfig } from './config-source.ts'
import { NOT_SHARED, withHeaders } from './cookies.ts'
import { failureResponse } from './failure-response.ts'
import type { Visit } from './failure-response.ts'
import { isDataRequest } from './navigation.ts'
import type { SessionReader } from './session-reader.ts'
import type { Surface } from './surface.ts'
import type { ProtectOptions } from './types.ts'

function rejectUnauthenticated({ method, url }: Visit, signIn: URL, isData: boolean): Response {
  if (isData)
    return Response.json({ error: 'SessionRequired' }, { status: 401, headers: NOT_SHARED })
  const target = new URL(signIn)
  target.searchParams.set('callbackUrl', url.href)
  const status = method === 'GET' || method === 'HEAD' ? 302 : 303
  return new Response(null, { status, headers: { ...NOT_SHARED, location: target.href } })
}

/** Dot segments and backslashes (WHATWG URL §4.4): the framework routes by another path than the URL contains. */
const AMBIGUOUS = /\\|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i

function decoded(url: URL): URL | undefined {
  if (!url.pathname.includes('%')) return undefined
  const other = new URL(url)
  try {
    other.pathname = decodeURIComponent(url.pathname)
  } catch {
    return undefined
  }
  return other.pathname === url.pathname ? undefined : other
}

/** Evaluates `authorized` for both spellings of the path. Without the callback, a session is sufficient. */
async function isAuthorized<Ask>(
  request: Ask,
  { url, auth }: { readonly url: URL; readonly auth: Session | null },
  { callbacks }: PreparedConfig<Ask>,
): Promise<Response | boolean> {
  if (!callbacks?.authorized) return auth !== null
  for (const spelling of [url, decoded(url)]) {
    const answer = spelling ? await callbacks.authorized({ request, url: spelling, auth }) : true
    if (answer instanceof Object) return answer
    if (!answer) return false
  }
  return true
}

export interface AdmissionContext<Ask extends object> {
  readonly configFor: ConfigFor<Ask>
  readonly surface: Surface<Ask>
  readonly read: SessionReader<Ask>
}

/**
 * Returns the session if the request may continue; it is `null` on built-in routes, on the sign-in page, and where
 * `authorized` admits unauthenticated users. Otherwise returns the response to send.
 *
 * @throws errors of the application
 */
export async function admit<Ask extends object>(
  ask: Ask,
  method: string,
  { allow }: ProtectOptions<Ask>,
  { configFor, surface, read }: AdmissionContext<Ask>,
): Promise<Session | null | Response> {
  const headers = surface.headers(ask)
  const sent = surface.url?.(ask) ?? new URL('http://localhost/')
  const config = await configFor(ask)
  let reading
  try {
    if (AMBIGUOUS.test(surface.path?.(ask) ?? sent.pathname))
      throw new InvalidRequest('The path contains dot segments or backslashes.')
    reading = await read(ask)
  } catch (error) {
    return failureResponse(error, { method, headers, url: sent }, config)
  }
  const { session, site } = reading
  const url = parseURL(sent.pathname + sent.search, site.origin) ?? sent
  const visit = { method, headers, url }
  const signIn = new URL(config.pages?.signIn ?? `${site.basePath}/signin`, site.origin)
  if (site.isRoute(url.pathname) || isSamePage(url, signIn)) return session
  const answer = await isAuthorized(ask, { url, auth: session }, config)
  if (answer instanceof Response) return withHeaders(answer, NOT_SHARED)
  if (!answer)
    return rejectUnauthenticated(
      visit,
      signIn,
      surface.isDataRequest?.(ask) ?? isDataRequest(headers),
    )
  if (session && allow && !(await allow(session, ask)))
    return failureResponse(
      new AccessDenied('protect({ allow }) rejected the signed-in user.'),
      visit,
      config,
    )
  return session
}
