import type { ResolvedConfig, SessionContext, TrustPolicy } from './contracts.ts'
import { isSent } from './cookies/jar.ts'
import type { CookieJar } from './cookies/jar.ts'
import type { CookiePolicies, CookiePolicy } from './cookies/policy.ts'
import { TIMEOUTS } from './timeout.ts'
import { createSecrets } from './hooks.ts'
import { publicOrigin, statedProtocol } from './http/origin.ts'
import type { ReadRequest } from './http/read-headers.ts'

interface ProtocolConfig {
  readonly cookies: CookiePolicies
  readonly useSecureCookies: boolean | undefined
  readonly trust: Pick<TrustPolicy, 'origin'>
}

/**
 * Whether the request arrived over https. If neither the configuration, the headers nor the URL contains the protocol, a
 * cookie with a name for https is sufficient, valid or not. Otherwise a plain cookie, which an attacker can set over http
 * (cookie tossing), would replace an expired session.
 */
function isSecure(
  { headers, url }: ReadRequest,
  jar: CookieJar,
  { cookies, useSecureCookies, trust }: ProtocolConfig,
): boolean {
  if (useSecureCookies !== undefined) return useSecureCookies
  const protocol = trust.origin || statedProtocol(url, headers)
  if (protocol !== undefined) return protocol.startsWith('https:')
  return jar.isTruncated || cookies.secure.sessionTokens.some(({ name }) => isSent(jar, name))
}

export function selectCookiePolicy(
  request: ReadRequest,
  jar: CookieJar,
  config: ProtocolConfig,
): CookiePolicy {
  return isSecure(request, jar, config) ? config.cookies.secure : config.cookies.plain
}

/** Builds the context of a request. @throws UntrustedHost, InvalidRequest */
export function createContext(
  caller: ReadRequest,
  jar: CookieJar,
  config: ResolvedConfig,
): SessionContext {
  return {
    config,
    jar,
    origin: publicOrigin(caller.url, caller.headers, config.trust),
    cookies: selectCookiePolicy(caller, jar, config),
    deadline: Date.now() + TIMEOUTS.request,
    secrets: createSecrets(caller),
  }
}
