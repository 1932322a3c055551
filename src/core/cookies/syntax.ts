/** The Cookie and Set-Cookie headers (RFC 6265bis). Single cookies are found without parsing the others. */
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

/** Longest Cookie header that is parsed, in characters: enough for a `next-auth` session of eight chunks. */
const MAX_HEADER_LENGTH = 32_768
/** Limit of values for one name: each may cause a call of the application. */
const MAX_VALUES = 5

const SEMICOLON = 0x3b
const EQUALS = 0x3d

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** A value that is not valid percent-encoding is returned as sent. */
function decode(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

function isStart(header: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && isSpace(header.charCodeAt(before))) before--
  return before < 0 || header.charCodeAt(before) === SEMICOLON
}

function valueIndex(header: string, name: string, from: number): number {
  let at = header.indexOf(name, from)
  while (at !== -1) {
    let after = at + name.length
    while (isSpace(header.charCodeAt(after))) after++
    if (header.charCodeAt(after) === EQUALS && isStart(header, at)) return after + 1
    at = header.indexOf(name, at + name.length)
  }
  return -1
}

function valueAt(header: string, start: number): string {
  const end = header.indexOf(';', start)
  return decode(header.slice(start, end === -1 ? undefined : end).trim())
}

/** Truncates a long header at a cookie boundary: part of a value would be a wrong value. */
export function bounded(header: string | null | undefined): string {
  if (!header) return ''
  if (header.length <= MAX_HEADER_LENGTH) return header
  return header.slice(0, Math.max(0, header.lastIndexOf(';', MAX_HEADER_LENGTH)))
}

export function findCookie(header: string, name: string): string | undefined {
  const start = valueIndex(header, name, 0)
  return start === -1 ? undefined : valueAt(header, start)
}

/** At most five values, without empty ones, in the order sent, which is not under our control (RFC 6265bis §5.8.3). */
export function findCookies(header: string, name: string): string[] {
  const found: string[] = []
  let start = valueIndex(header, name, 0)
  while (start !== -1 && found.length < MAX_VALUES) {
    const value = valueAt(header, start)
    if (value) found.push(value)
    start = valueIndex(header, name, start)
  }
  return found
}

/** The first cookie of each name with the prefix. A single pass, because chunks make the header long. */
export function findPrefixed(header: string, prefix: string): Map<string, string> {
  const found = new Map<string, string>()
  let at = header.indexOf(prefix)
  while (at !== -1) {
    const end = at + prefix.length
    const equals = header.indexOf('=', end)
    if (equals === -1) break
    // Text that does not start a cookie is skipped without a scan of its value.
    if (isStart(header, at) && !header.slice(end, equals).includes(';')) {
      let stop = equals
      while (isSpace(header.charCodeAt(stop - 1))) stop--
      const name = header.slice(at, stop)
      if (!found.has(name)) found.set(name, valueAt(header, equals + 1))
    }
    at = header.indexOf(prefix, end + 1)
  }
  return found
}

/** The first hundred names that are valid for Set-Cookie: each name may cause work and a response header. */
export function cookieNames(cookies: ReadonlyMap<string, string>): string[] {
  return [...cookies.keys()].filter(isCookieName).slice(0, 100)
}
