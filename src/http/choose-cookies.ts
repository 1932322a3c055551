/** Which session cookies a request is read with. */
import type { TrustPolicy } from '../contracts.ts'
import { isHeld } from '../cookies/chunk.ts'
import type { CookieJar } from '../cookies/jar.ts'
import type { CookiePolicies, CookiePolicy } from '../cookies/policy.ts'
import { statedProtocol } from './origin.ts'
import type { ReadRequest } from './read-headers.ts'

/** What the configuration contains about the protocol. */
interface ProtocolConfig {
  readonly cookies: CookiePolicies
  readonly useSecureCookies: boolean | undefined
  readonly trust: Pick<TrustPolicy, 'origin'>
}

/**
 * Whether the request is read with the cookies of https. If nothing states the protocol, the browser decides by sending
 * one of them, valid or not: otherwise a plain cookie, which a page on http can plant, would replace an expired session.
 */
function isSecure(
  { headers, url }: ReadRequest,
  jar: CookieJar,
  { cookies, useSecureCookies, trust }: ProtocolConfig,
): boolean {
  if (useSecureCookies !== undefined) return useSecureCookies
  const protocol = trust.origin || statedProtocol(url, headers)
  if (protocol !== undefined) return protocol.startsWith('https:')
  return jar.isTruncated || cookies.secure.sessionTokens.some(({ name }) => isHeld(jar, name))
}

/** Chooses the cookies that a session is read from. */
export function chooseCookies(
  request: ReadRequest,
  jar: CookieJar,
  config: ProtocolConfig,
): CookiePolicy {
  return isSecure(request, jar, config) ? config.cookies.secure : config.cookies.plain
}
