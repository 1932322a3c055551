import type { Endpoint } from '../../config/provider.ts'
import { InvalidEndpoints } from '../../errors/classes.ts'
import { isLoopback, isOrigin } from '../../http/origin.ts'

/** Where plain http is accepted in addition to https. */
export type HttpPolicy = 'none' | 'loopback' | 'any'

/** What to write instead of a URL that {@link isAllowed} rejects. */
export const HTTPS_FIRST =
  'Write https. Only for a provider in an internal network, set [insecureHttp]: true on it to allow http.'

export function isAllowed(url: URL, policy: HttpPolicy): boolean {
  if (url.protocol === 'https:') return true
  return (
    url.protocol === 'http:' &&
    (policy === 'any' || (policy === 'loopback' && isLoopback(url.hostname)))
  )
}

/** Parses an endpoint URL. Throws InvalidEndpoints if it is not a URL, or http where only https is allowed. */
export function endpointUrl(url: string, policy: HttpPolicy, what: string): URL {
  if (!URL.canParse(url)) throw new InvalidEndpoints(`${what} is not a URL.`)
  const parsed = new URL(url)
  if (!isAllowed(parsed, policy))
    throw new InvalidEndpoints(
      `${what} is ${parsed.protocol}//${parsed.host}, not https. ${HTTPS_FIRST}`,
    )
  return parsed
}

/** Whether the provider posts the authorization response (OAuth 2.0 Form Post Response Mode). */
export function usesFormPost(authorization: string | Endpoint | undefined): boolean {
  const { url, params }: Endpoint =
    typeof authorization === 'string' ? { url: authorization } : (authorization ?? {})
  const inUrl = url && URL.canParse(url) ? new URL(url).searchParams.get('response_mode') : null
  return (params?.['response_mode'] ?? inUrl) === 'form_post'
}

const WILDCARD = 'https://*.'

/** Whether the URL can be the base URL of a redirect proxy; a callback path is appended to it. */
export function isProxyUrl(text: string, http: HttpPolicy): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && isAllowed(url, http) && url.href === url.origin + url.pathname
}

/** Whether the pattern is an origin, or an origin with `*` as its first label. */
export function isOriginPattern(pattern: string, http: HttpPolicy): boolean {
  const isWildcard = pattern.startsWith(WILDCARD)
  const origin = isWildcard ? pattern.replace('*.', '') : pattern
  if (!isOrigin(origin) || origin.includes('*') || !isAllowed(new URL(origin), http)) return false
  // `https://*.com` would match origins of any owner.
  return !isWildcard || origin.includes('.')
}

/** Whether an origin equals the pattern, or has exactly one label in place of `*`. */
export function matchesOrigin(origin: string, pattern: string): boolean {
  return [origin, origin.replace(/^https:\/\/[^.]+\./, WILDCARD)].includes(pattern)
}
