import { checkSource } from './checks/source.ts'
import { resolve } from './config/resolve.ts'
import type { AuthConfig } from './config/types.ts'
import type { ResolvedConfig } from './contracts.ts'
import { createJar } from './cookies/jar.ts'
import type { CookieJar } from './cookies/jar.ts'
import { serializeCookie } from './cookies/serialize.ts'
import { LIMITS } from './deadline.ts'
import { InvalidConfiguration } from './errors/configuration.ts'
import { chooseCookies } from './http/choose-cookies.ts'
import { publicOrigin } from './http/origin.ts'
import { parsePath } from './http/path.ts'
import { readHeaders } from './http/read-headers.ts'
import type { ReadRequest, RequestLike } from './http/read-headers.ts'
import { createSecrets } from './log/secrets.ts'
import { report } from './log/report.ts'
import type { ResponseCookie, Session } from './types.ts'

/** The result of {@link getSession}. */
export interface SessionResult {
  /** `null`: signed out. */
  readonly session: Session | null
  /** Set-Cookie headers if the session was extended or has ended; add them to the response if you can. */
  readonly headers: Headers
}

export interface Site {
  readonly origin: string
  /** Without a trailing slash; empty for the root. */
  readonly basePath: string
  isRoute(pathname: string): boolean
}

/** The result for wrappers whose framework sets cookies itself. */
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

function reported(error: unknown, config: AuthConfig, resolved?: ResolvedConfig): unknown {
  if (error instanceof Error) report(error, { config, ...(resolved && { resolved }) })
  return error
}

/** @throws the errors of {@link getSession}, and MissingCSRF for `same-origin` if another origin sent the request */
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

interface Reading {
  readonly session: Session | null
  readonly jar: CookieJar
  readonly site: Site
}

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
      secrets: createSecrets(caller),
    })
    return shape({ session, jar, site })
  } catch (error) {
    throw reported(error, config, resolved)
  }
}

/** See {@link getSession}. */
export function readSession(caller: ReadRequest, config: AuthConfig): Promise<SessionReading> {
  const shape = ({ session, jar, site }: Reading) => ({ session, cookies: jar.changes(), site })
  return read(caller, config, { shape })
}

function resultOf({ session, jar }: Reading): SessionResult {
  const headers = new Headers()
  for (const header of jar.headers()) headers.append('set-cookie', header)
  return { session, headers }
}

export function setCookieHeader(cookie: ResponseCookie): string {
  return serializeCookie(cookie)
}

/**
 * Reads the session of a request without another HTTP request.
 *
 * @param request - the `Request`, the request of a server such as Node or Express, or all of its headers: `Headers`, or a
 * plain object such as `IncomingHttpHeaders` of Node. As in {@link Auth}, the URL of a `Request` supplies the protocol, and the host if there is no Host header.
 * Without a URL, `X-Forwarded-Proto` or a configured origin, the https cookies are read if the browser sent one of
 * them, else those of http.
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
 *   return session?.user?.name ?? 'nobody'
 * }
 * ```
 */
export async function getSession(request: RequestLike, config: AuthConfig): Promise<SessionResult> {
  if (typeof config !== 'object' || config === null)
    throw new InvalidConfiguration(
      'The configuration is missing. Pass it as the second argument: getSession(request, config).',
    )
  return read(readHeaders(request), config, { shape: resultOf })
}
