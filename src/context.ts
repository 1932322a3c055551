import type { ResolvedConfig, SessionContext } from './contracts.ts'
import { isSent } from './cookies/jar.ts'
import type { CookieJar } from './cookies/jar.ts'
import type { CookiePolicy } from './cookies/policy.ts'
import { TIMEOUTS } from './timeout.ts'
import { createSecrets } from './hooks.ts'
import { publicOrigin, statedProtocol } from './http/origin.ts'
import type { ReadRequest } from './http/read-headers.ts'

/**
 * The cookies for the protocol of the request. If neither the configuration, the headers nor the URL contains the
 * protocol, a cookie with a name for https is sufficient, valid or not. Otherwise a plain cookie, which an attacker can
 * set over http (cookie tossing), would replace an expired session.
 */
export function selectCookiePolicy(
  protocol: string | undefined,
  jar: CookieJar,
  { cookies, useSecureCookies }: Pick<ResolvedConfig, 'cookies' | 'useSecureCookies'>,
): CookiePolicy {
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
