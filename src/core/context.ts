import type { ResolvedConfig, SessionContext } from './contracts.ts'
import { isSent } from './cookies/jar.ts'
import type { CookieJar } from './cookies/jar.ts'
import type { CookiePolicy } from './cookies/policy.ts'
import { TIMEOUTS } from './async/timeout.ts'
import { createSecrets } from './log/secrets.ts'
import { publicOrigin, statedProtocol } from './http/origin.ts'
import type { ReadRequest } from './http/read-headers.ts'

/** The cookies for the protocol of the request; if unknown, those of https if the browser sent one, valid or not. */
export function selectCookiePolicy(
  protocol: string | undefined,
  jar: CookieJar,
  { cookies, useSecureCookies }: Pick<ResolvedConfig, 'cookies' | 'useSecureCookies'>,
): CookiePolicy {
  // Otherwise a plain cookie, which an attacker can set over http, would replace an expired session (cookie tossing).
  const isSecure =
    useSecureCookies ??
    protocol?.startsWith('https:') ??
    (jar.isTruncated || cookies.secure.sessionTokens.some(({ name }) => isSent(jar, name)))
  return isSecure ? cookies.secure : cookies.plain
}

/** Builds the context of a request. @throws UntrustedHost, InvalidRequest */
export function createContext(
  caller: ReadRequest,
  jar: CookieJar,
  config: ResolvedConfig,
): SessionContext {
  const { url, headers } = caller
  const protocol = statedProtocol(url, headers)
  const { origin } = config.trust
  return {
    config,
    jar,
    origin: origin || publicOrigin(url, headers, config.trust, protocol),
    cookies: selectCookiePolicy(origin || protocol, jar, config),
    deadline: Date.now() + TIMEOUTS.request,
    secrets: createSecrets(caller),
  }
}
