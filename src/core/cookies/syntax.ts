/** The Set-Cookie header (RFC 6265bis §4.1). */
import type { CookieAttributes, ResponseCookie } from '../types.ts'

/** Bytes of a Set-Cookie header that browsers store (RFC 6265bis §5.6). */
export const MAX_COOKIE_LENGTH = 4096

// The strict syntax for servers (RFC 6265bis §4.1.1).
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VALUE = /^[\u0021\u0023-\u002b\u002d-\u003a\u003c-\u005b\u005d-\u007e]*$/
const PATH = /^[\u0020-\u003a\u003c-\u007e]*$/
const DOMAIN = /^\.?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i

const SAME_SITE = ['Lax', 'Strict', 'None']
const PRIORITY = ['Low', 'Medium', 'High']

export function isCookieName(name: string): boolean {
  return NAME.test(name)
}

function assertMatch(pattern: RegExp, value: string, what: string): void {
  if (!pattern.test(value))
    throw new TypeError(
      `The ${what} of a cookie contains characters that are not allowed (RFC 6265bis §4.1.1).`,
    )
}

function attributeValue(allowed: readonly string[], word: string, what: string): string {
  const value = allowed.find((each) => each.toLowerCase() === word.toLowerCase())
  if (value !== undefined) return value
  const list = allowed.join(', ').toLowerCase()
  throw new TypeError(`The ${what} of a cookie must be one of ${list}.`)
}

export function serializeAttributes(options: CookieAttributes): string {
  let text = ''
  if (options.maxAge !== undefined) {
    if (!Number.isSafeInteger(options.maxAge))
      throw new TypeError('The maxAge of a cookie is not an integer number of seconds.')
    text += `; Max-Age=${options.maxAge}`
  }
  if (options.domain) {
    assertMatch(DOMAIN, options.domain, 'domain')
    text += `; Domain=${options.domain}`
  }
  if (options.path) {
    assertMatch(PATH, options.path, 'path')
    text += `; Path=${options.path}`
  }
  if (options.expires) {
    if (Number.isNaN(options.expires.getTime()))
      throw new TypeError('The expires of a cookie is not a valid date.')
    text += `; Expires=${options.expires.toUTCString()}`
  }
  if (options.httpOnly) text += '; HttpOnly'
  if (options.secure) text += '; Secure'
  if (options.partitioned) text += '; Partitioned'
  if (options.priority)
    text += `; Priority=${attributeValue(PRIORITY, options.priority, 'priority')}`
  const sameSite = options.sameSite === true ? 'strict' : (options.sameSite ?? false)
  if (sameSite !== false) text += `; SameSite=${attributeValue(SAME_SITE, sameSite, 'sameSite')}`
  return text
}

/** Serializes a Set-Cookie header value (RFC 6265bis §4.1). */
export function serializeCookie(cookie: ResponseCookie): string {
  const value = (cookie.options.encode ?? encodeURIComponent)(cookie.value)
  assertMatch(NAME, cookie.name, 'name')
  assertMatch(VALUE, value, 'value')
  return `${cookie.name}=${value}${serializeAttributes(cookie.options)}`
}

export function isCookieShort(cookie: ResponseCookie): boolean {
  return serializeCookie(cookie).length <= MAX_COOKIE_LENGTH
}
