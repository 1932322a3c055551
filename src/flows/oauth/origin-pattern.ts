import { isOrigin } from '../../http/origin.ts'
import { isAllowed } from './http-policy.ts'
import type { HttpPolicy } from './http-policy.ts'

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
  if (!pattern.startsWith(WILDCARD)) return origin === pattern
  const end = pattern.slice(WILDCARD.length - 1)
  const label = origin.slice('https://'.length, -end.length)
  return label !== '' && !label.includes('.') && origin === `https://${label}${end}`
}
