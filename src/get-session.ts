import { checkSource } from './checks/source.ts'
import { resolve } from './config/resolve.ts'
import type { AuthConfig } from './config/types.ts'
import type { ResolvedConfig } from './contracts.ts'
import { createJar } from './cookies/jar.ts'
import type { CookieJar } from './cookies/jar.ts'
import { serializeCookie } from './cookies/serialize.ts'
import { LIMITS } from './deadline.ts'
import { chooseCookies } from './http/choose-cookies.ts'
import { publicOrigin } from './http/origin.ts'
import { parsePath } from './http/path.ts'
import { readHeaders } from './http/read-headers.ts'
import type { ReadRequest, RequestLike } from './http/read-headers.ts'
import { report } from './log/report.ts'
import type { ResponseCookie, Session } from './types.ts'

/** Who is signed in, and what the browser has to be told. */
export interface SessionResult {
  /** `null`: nobody. */
  readonly session: Session | null
  /** Set-Cookie headers, when the session was extended or has ended; send them if you can. */
  readonly headers: Headers
}

/** Where the routes are, as people see it. */
export interface Site {
  /** The origin people use. */
  readonly origin: string
  /** Without a slash at the end; empty for the root. */
  readonly basePath: string
  /** Whether a path is that of a built-in route. */
  isRoute(pathname: string): boolean
}

/** The same for wrappers that have their own way of setting cookies. */
export interface SessionReading {
  readonly session: Session | null
  readonly cookies: readonly ResponseCookie[]
  readonly site: Site
}

function siteOf({ headers, url }: ReadRequest, { trust, basePath }: ResolvedConfig): Site {
  return {
    origin: publicOrigin(url, headers, trust),
    basePath,
    isRoute: (pathname) => parsePath(pathname, basePath) !== null,
  }
}

/** Writes down what goes wrong before it is thrown. */
function reported(error: unknown, config: AuthConfig, resolved?: ResolvedConfig): unknown {
  if (error instanceof Error) report(error, { config, ...(resolved && { resolved }) })
  return error
}

/**
 * Finds out where the routes are; throws as {@link getSession} does.
 *
 * @param source - `same-origin`: also rejects a request that a page of another origin sent, with MissingCSRF
 */
export async function findSite(
  caller: ReadRequest,
  config: AuthConfig,
  source: 'any' | 'same-origin' = 'any',
): Promise<Site> {
  let resolved: ResolvedConfig | undefined
  try {
    resolved = resolve(config)
    const site = siteOf(caller, resolved)
    if (source === 'same-origin') checkSource(caller.headers, site.origin)
    return site
  } catch (error) {
    throw reported(error, config, resolved)
  }
}

/** A session that was read. */
interface Reading {
  readonly session: Session | null
  /** With what the browser has to be told. */
  readonly jar: CookieJar
  readonly site: Site
}

/** Reads the session of a request; `shape` makes of it what the caller wants to have. */
async function read<T>(
  caller: ReadRequest,
  config: AuthConfig,
  { shape }: { readonly shape: (reading: Reading) => T },
): Promise<T> {
  let resolved: ResolvedConfig | undefined
  try {
    resolved = resolve(config)
    const site = siteOf(caller, resolved)
    const jar = createJar(caller.headers.get('cookie'))
    const session = await resolved.session.read({
      config: resolved,
      jar,
      cookies: chooseCookies(caller, jar, resolved),
      deadline: Date.now() + LIMITS.request,
    })
    return shape({ session, jar, site })
  } catch (error) {
    throw reported(error, config, resolved)
  }
}

/** Reads the session of a request; see {@link getSession}. */
export function readSession(caller: ReadRequest, config: AuthConfig): Promise<SessionReading> {
  const shape = ({ session, jar, site }: Reading) => ({ session, cookies: jar.changes(), site })
  return read(caller, config, { shape })
}

function resultOf({ session, jar }: Reading): SessionResult {
  const headers = new Headers()
  for (const header of jar.headers()) headers.append('set-cookie', header)
  return { session, headers }
}

/** The Set-Cookie header for a change of a reading. */
export function setCookieHeader(cookie: ResponseCookie): string {
  return serializeCookie(cookie)
}

/**
 * Reads the session of a request, without a request of its own: what every wrapper calls.
 *
 * @param request - the `Request`; or all of its headers, as `Headers` or as a plain object such as `IncomingHttpHeaders` of
 * Node. The URL of a `Request` is used like that of a request to {@link Auth}: for the protocol, and for the host if
 * there is no Host header. Without a URL, `X-Forwarded-Proto` or a configured origin, the cookies of https are read if the
 * browser sent one of them, else those of http.
 * @throws SessionUnavailable when nobody can say right now who is signed in
 * @throws UntrustedHost when nothing says that the host of the request can be trusted
 * @throws InvalidRequest when there is no host: neither a URL, nor a Host header, nor a configured origin
 * @throws the problems of the configuration
 * @example
 * ```ts
 * import { getSession } from 'lib-auth'
 * import type { AuthConfig } from 'lib-auth'
 *
 * export async function name(request: Request, config: AuthConfig): Promise<string> {
 *   const { session } = await getSession(request, config)
 *   return session?.user?.name ?? 'nobody'
 * }
 * ```
 */
export function getSession(request: RequestLike, config: AuthConfig): Promise<SessionResult> {
  return read(readHeaders(request), config, { shape: resultOf })
}
