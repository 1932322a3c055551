import { chain, isPromise } from './async/awaitable.ts'
import { checkConfig } from './config/check-config.ts'
import { logError } from './log/logger.ts'
import { checkSource } from './checks/source.ts'
import { resolve } from './config/resolve.ts'
import type { AuthConfig } from './config/types.ts'
import { createContext } from './context.ts'
import type { ResolvedConfig } from './contracts.ts'
import { createJar } from './cookies/jar.ts'
import { serializeCookie } from './cookies/syntax.ts'
import { publicOrigin, trustedHost } from './http/origin.ts'
import { parsePath } from './http/path.ts'
import { readRequest } from './http/read-headers.ts'
import type { ReadRequest, RequestLike } from './http/read-headers.ts'
import type { Awaitable, ResponseCookie, Session } from './types.ts'

/** The result of {@link getSession}. */
export interface SessionResult {
  /** `null`: signed out. */
  readonly session: Session | null
  /**
   * Set-Cookie headers if the session was extended or has ended, with `Cache-Control: private, no-store`; add them to the
   * response if you can.
   */
  readonly headers: Headers
}

export interface Site {
  readonly origin: string
  /** Without a trailing slash; empty for the root. */
  readonly basePath: string
  isRoute(pathname: string): boolean
}

export interface SessionReading {
  readonly session: Session | null
  readonly cookies: readonly ResponseCookie[]
  readonly site: Site
}

function describeSite(origin: string, { basePath }: ResolvedConfig): Site {
  return { origin, basePath, isRoute: (pathname) => parsePath(pathname, basePath) !== null }
}

/** @throws the errors of {@link getSession}, and MissingCSRF for `same-origin` if another origin sent the request */
export async function findSite(
  { headers, url }: ReadRequest,
  config: AuthConfig,
  source: 'any' | 'same-origin' = 'any',
): Promise<Site> {
  let resolved: ResolvedConfig | undefined
  try {
    resolved = resolve(config)
    const origin = publicOrigin(url, headers, resolved.trust)
    if (source === 'same-origin') checkSource(headers, origin)
    return describeSite(origin, resolved)
  } catch (error) {
    if (resolved?.audit && error instanceof Error)
      await resolved.audit.recordFailure({ config: resolved, request: { headers } }, error)
    throw logError(error, config)
  }
}

/** Synchronous unless the session strategy or a callback is not. */
export function readSession(caller: ReadRequest, config: AuthConfig): Awaitable<SessionReading> {
  const fail = (error: unknown): never => {
    throw logError(error, config)
  }
  try {
    const ctx = createContext(caller, createJar(caller.headers.get('cookie')), resolve(config))
    const reading = chain(ctx.config.session.read(ctx), (session) => ({
      session,
      cookies: ctx.jar.changes(),
      site: describeSite(ctx.origin, ctx.config),
    }))
    return isPromise(reading) ? reading.then(undefined, fail) : reading
  } catch (error) {
    return fail(error)
  }
}

/** Whether the request has no session cookie, so that only its host is validated. @throws UntrustedHost, InvalidRequest */
function isSignedOut({ headers, url }: ReadRequest, config: ResolvedConfig): boolean {
  const cookie = headers.get('cookie')
  const isSent =
    cookie && config.cookies.both.sessionTokens.some(({ name }) => cookie.includes(name))
  // The debug log reports why a user is signed out.
  if (isSent || config.log.debug) return false
  if (!config.trust.origin) trustedHost(url, headers, config.trust)
  return true
}

export function setCookieHeader(cookie: ResponseCookie): string {
  return serializeCookie(cookie)
}

/**
 * Reads the session of a request without another HTTP request.
 *
 * @param request - the `Request`, the request of a server such as Node or Express, or all of its headers: `Headers`, or
 * an object. As in {@link Auth}, the URL supplies the protocol, and the host if there is no Host header. If the protocol
 * is unknown, the https cookies are read if the browser sent one of them, else those of http.
 * @throws SessionUnavailable if the session lookup fails
 * @throws UntrustedHost if the host of the request is not trusted
 * @throws InvalidRequest if there is no host: neither a URL, nor a Host header, nor a configured origin
 * @throws InvalidConfiguration if an argument is missing, or the request is a Promise
 * @throws AuthError of the first problem if the configuration is not valid
 * @example
 * ```ts
 * import { getSession } from 'lib-auth'
 * import type { AuthConfig } from 'lib-auth'
 *
 * export async function name(request: Request, config: AuthConfig): Promise<string> {
 *   const { session } = await getSession(request, config)
 *   return session?.user?.name ?? 'guest'
 * }
 * ```
 */
export async function getSession(request: RequestLike, config: AuthConfig): Promise<SessionResult> {
  checkConfig(config, 'getSession(request, config)')
  const caller = readRequest(request)
  const headers = new Headers()
  try {
    const resolved = resolve(config)
    if (isSignedOut(caller, resolved)) return { session: null, headers }
    const ctx = createContext(caller, createJar(caller.headers.get('cookie')), resolved)
    const session = await resolved.session.read(ctx)
    for (const header of ctx.jar.headers()) headers.append('set-cookie', header)
    if (headers.has('set-cookie')) headers.set('cache-control', 'private, no-store')
    return { session, headers }
  } catch (error) {
    throw logError(error, config)
  }
}
