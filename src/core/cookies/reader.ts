/** The Cookie header (RFC 6265bis §5.8.3), and values in several cookies. */
import { isCookieName } from './syntax.ts'

/** Longest Cookie or Authorization header that is parsed, in characters: enough for eight chunks of `next-auth`. */
export const MAX_HEADER_LENGTH = 32_768
/** Limit of values for one name: each may cause a call of the application. */
const MAX_VALUES = 5
/** Limit of names: each may cause work and a response header. */
const MAX_NAMES = 100
/** Chunks of one cookie that are read and written. */
export const MAX_CHUNKS = 10

const NO_COOKIES: ReadonlyMap<string, string> = new Map()

/** The cookies of a request. */
export interface CookieReader {
  /** Whether the Cookie header was too long and only its beginning was parsed. */
  readonly isTruncated: boolean
  /** At most five values, without empty ones, in the order sent, which is not under our control. */
  getAll(name: string): readonly string[]
  /** The first value of each name that begins with `prefix`, oldest first; it may be empty. */
  getPrefixed(prefix: string): ReadonlyMap<string, string>
}

/** A value that is not valid percent-encoding is returned as sent. */
function decode(sent: string): string {
  const value = sent.trim()
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09

/** Removes spaces and tabs; other white space is part of a name, and `trim` would remove it. */
function trimName(sent: string): string {
  let start = 0
  let end = sent.length
  while (start < end && isBlank(sent.charCodeAt(start))) start++
  while (start < end && isBlank(sent.charCodeAt(end - 1))) end--
  return sent.slice(start, end)
}

/** Truncates a long header at a cookie boundary: part of a value would be a wrong value. */
function truncateHeader(header: string): string {
  if (header.length <= MAX_HEADER_LENGTH) return header
  return header.slice(0, Math.max(0, header.lastIndexOf(';', MAX_HEADER_LENGTH)))
}

/** Returns names and encoded values, in the order sent. */
function parsePairs(header: string): (readonly [name: string, value: string])[] {
  const cookies: [name: string, value: string][] = []
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals !== -1) cookies.push([trimName(pair.slice(0, equals)), pair.slice(equals + 1)])
  }
  return cookies
}

export function readCookies(header?: string | null): CookieReader {
  const sent = header ?? ''
  const text = truncateHeader(sent)
  let parsed: ReturnType<typeof parsePairs> | undefined
  const cookies = () => (parsed ??= parsePairs(text))
  return {
    isTruncated: text.length < sent.length,
    getAll: (name) => {
      if (!text.includes(name)) return []
      const found = cookies().filter(([each]) => each === name)
      const values = found.map(([, value]) => decode(value))
      return values.filter((value) => value !== '').slice(0, MAX_VALUES)
    },
    getPrefixed(prefix) {
      if (!text.includes(prefix)) return NO_COOKIES
      const found = new Map<string, string>()
      for (const [name, value] of cookies())
        if (name.startsWith(prefix) && !found.has(name)) found.set(name, decode(value))
      return found
    },
  }
}

/** The first hundred names with the prefix that are valid for Set-Cookie. */
export function cookieNames(cookies: CookieReader, prefix: string): readonly string[] {
  return [...cookies.getPrefixed(prefix).keys()].filter(isCookieName).slice(0, MAX_NAMES)
}

/** A value that is too long for one cookie is stored in `name.0`, `name.1`, … */
export function chunkName(name: string, index: number): string {
  return `${name}.${index}`
}

/** The names of the cookie and its chunks, as far as the browser sent them. */
export function sentNames(cookies: CookieReader, name: string): readonly string[] {
  return cookieNames(cookies, name).filter((sent) => /^(\.\d+)?$/.test(sent.slice(name.length)))
}

/** Possible values, best first; chunks too, because an attacker may have set the whole cookie. */
export function readChunked(cookies: CookieReader, name: string): readonly string[] {
  const whole = cookies.getAll(name)
  const chunks = cookies.getPrefixed(`${name}.`)
  let value = ''
  for (let index = 0; index < MAX_CHUNKS; index++) {
    const chunk = chunks.get(chunkName(name, index))
    if (!chunk) break
    value += chunk
  }
  return value ? [...whole, value] : whole
}
