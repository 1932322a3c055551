import type { ResolvedConfig, SessionContext } from './contracts.ts'
import { createJar } from './cookies/jar.ts'
import type { CookieJar } from './cookies/jar.ts'
import type { SessionName } from './cookies/policy.ts'
import { sentNames } from './cookies/reader.ts'
import type { CookieReader } from './cookies/reader.ts'
import { TIMEOUTS } from './async/timeout.ts'
import { createSecrets } from './log/secrets.ts'
import { publicOrigin, requestProtocol } from './http/origin.ts'
import type { ReadRequest } from './http/read-headers.ts'

interface SecureCookies extends Pick<ResolvedConfig, 'useSecureCookies'> {
  readonly secure: readonly SessionName[]
}

/** Whether the cookies of https are read. If the protocol is unknown: whether the browser sent one, valid or not. */
export function readsSecureCookies(
  protocol: string | undefined,
  cookies: CookieReader,
  { useSecureCookies, secure }: SecureCookies,
): boolean {
  // Otherwise a plain cookie, which an attacker can set over http, would replace an expired session (cookie tossing).
  return (
    useSecureCookies ??
    protocol?.startsWith('https:') ??
    (cookies.isTruncated || secure.some(({ name }) => sentNames(cookies, name).length > 0))
  )
}

/** Builds the context of a request. @throws UntrustedHost, InvalidRequest */
export function createContext(
  request: ReadRequest,
  jar: CookieJar,
  config: ResolvedConfig,
): SessionContext {
  const { url, headers } = request
  const protocol = requestProtocol(url, headers)
  const { trust, cookies, useSecureCookies } = config
  const { origin } = trust
  const secure = cookies.secure.sessionTokens
  const isSecure = readsSecureCookies(origin || protocol, jar, { useSecureCookies, secure })
  return {
    config,
    jar,
    origin: origin || publicOrigin(url, headers, trust, protocol),
    cookies: isSecure ? cookies.secure : cookies.plain,
    deadline: performance.now() + TIMEOUTS.request,
    secrets: createSecrets(request),
  }
}

/** The context of a call by the application for any user: only a request has an origin and cookies. */
export function backgroundContext(config: ResolvedConfig): SessionContext {
  return {
    config,
    jar: createJar(null),
    origin: config.trust.origin ?? '',
    cookies: config.cookies.secure,
    deadline: performance.now() + TIMEOUTS.request,
    secrets: createSecrets(),
  }
}
