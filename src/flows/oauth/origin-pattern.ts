/** The origins that a redirect proxy forwards to. */
import { isOrigin } from '../../http/origin.ts'
import { isAllowed } from './http-policy.ts'
import type { HttpPolicy } from './http-policy.ts'

const WILDCARD = 'https://*.'

/** Whether this can be the base URL of a redirect proxy: a callback path is added to it. */
export function isProxyUrl(text: string, http: HttpPolicy): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && isAllowed(url, http) && url.href === url.origin + url.pathname
}

/** Whether this is an origin, or `https://*.` and the rest of one. */
export function isOriginPattern(pattern: string, http: HttpPolicy): boolean {
  const isWildcard = pattern.startsWith(WILDCARD)
  const origin = isWildcard ? pattern.replace('*.', '') : pattern
  if (!isOrigin(origin) || origin.includes('*') || !isAllowed(new URL(origin), http)) return false
  // Below a top-level domain there is everybody.
  return !isWildcard || origin.includes('.')
}

/** Whether an origin is the one of the pattern, or has exactly one label in place of its asterisk. */
export function matchesOrigin(origin: string, pattern: string): boolean {
  if (!pattern.startsWith(WILDCARD)) return origin === pattern
  const end = pattern.slice(WILDCARD.length - 1)
  const label = origin.slice('https://'.length, -end.length)
  return label !== '' && !label.includes('.') && origin === `https://${label}${end}`
}
