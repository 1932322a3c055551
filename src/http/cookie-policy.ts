import type { TrustPolicy } from '../contracts.ts'
import { isSent } from '../cookies/chunk.ts'
import type { CookieJar } from '../cookies/jar.ts'
import type { CookiePolicies, CookiePolicy } from '../cookies/policy.ts'
import { statedProtocol } from './origin.ts'
import type { ReadRequest } from './read-headers.ts'

interface ProtocolConfig {
  readonly cookies: CookiePolicies
  readonly useSecureCookies: boolean | undefined
  readonly trust: Pick<TrustPolicy, 'origin'>
}

/**
 * If nothing states the protocol, any https cookie that the browser sent decides, valid or not: otherwise a plain
 * cookie, which an attacker can set over http (cookie tossing), would replace an expired session.
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
