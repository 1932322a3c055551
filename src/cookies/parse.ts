/** Finds single cookies in a Cookie header without parsing the others (RFC 6265bis §5.8.3). */

import { isCookieName } from './serialize.ts'

/** Longest Cookie header that is parsed, in characters: enough for a `next-auth` session of eight chunks. */
const MAX_HEADER_LENGTH = 32_768
/** Limit of values for one name: each may cause a call of the application. */
const MAX_VALUES = 5
/** Limit of names, because each one may cause work and a response header. */
const MAX_NAMES = 100

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

/** Index of the next value of the cookie called `name`; -1 if there is none. */
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
    at = header.indexOf(prefix, end)
  }
  return found
}

/** The first hundred names with the prefix that are valid cookie names, in the order sent. */
export function cookieNames(header: string, prefix: string): string[] {
  if (!header.includes(prefix)) return []
  const names = new Set<string>()
  for (const pair of header.split(';')) {
    const name = pair.slice(0, Math.max(0, pair.indexOf('='))).trim()
    if (names.size === MAX_NAMES) break
    if (name.startsWith(prefix) && isCookieName(name)) names.add(name)
  }
  return [...names]
}
