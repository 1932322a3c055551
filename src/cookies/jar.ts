import type { CookieOption, ResponseCookie } from '../types.ts'
import { bounded, cookieNames, findCookie, findCookies, findPrefixed } from './parse.ts'
import { MAX_COOKIE_LENGTH, serializeCookie } from './serialize.ts'

/** The cookies of a request and its response. It survives errors, so that a used transaction is always deleted. */
export interface CookieJar {
  /** Whether the Cookie header was too long and only its beginning was parsed. */
  readonly isTruncated: boolean
  /** The value that this response sets, else the first one sent; `undefined` if it is empty or deleted. */
  get(name: string): string | undefined
  /** At most five values; empty ones are left out. */
  getAll(name: string): readonly string[]
  /** Values by name, for all names that begin with `prefix`; they may be empty. */
  getPrefixed(prefix: string): ReadonlyMap<string, string>
  /** Fast check: `false` if no name contains the text. */
  mentions(text: string): boolean
  /** Names that begin with `prefix`: sent ones, oldest first (RFC 6265bis §5.8.3), then new ones. */
  names(prefix: string): readonly string[]
  /** Sets or replaces a cookie. @throws TypeError for invalid characters, RangeError above 4,096 bytes */
  set(cookie: ResponseCookie): void
  delete(cookie: CookieOption): void
  changes(): readonly ResponseCookie[]
  headers(): readonly string[]
}

/** Serialized at once, so that an invalid cookie fails where it is set. */
interface Change {
  readonly cookie: ResponseCookie
  readonly header: string
}

export function createJar(cookieHeader: string | null | undefined): CookieJar {
  const header = bounded(cookieHeader)
  let pending: Map<string, Change> | undefined

  function write(cookie: ResponseCookie, text: string): void {
    pending ??= new Map()
    pending.set(cookie.name, { cookie, header: text })
  }

  function remove({ name, options }: CookieOption): void {
    // A deletion repeats the attributes, else the browser keeps the cookie (RFC 6265bis §5.7).
    const { expires: _expires, ...rest } = options
    const cookie = { name, value: '', options: { ...rest, maxAge: 0 } }
    write(cookie, serializeCookie(cookie))
  }

  return {
    isTruncated: header.length < (cookieHeader?.length ?? 0),
    get(name) {
      const change = pending?.get(name)
      if (change) return change.cookie.value || undefined
      return findCookie(header, name) || undefined
    },
    getAll(name) {
      const change = pending?.get(name)
      if (change) return change.cookie.value ? [change.cookie.value] : []
      return findCookies(header, name)
    },
    getPrefixed(prefix) {
      const found = findPrefixed(header, prefix)
      for (const [name, { cookie }] of pending ?? [])
        if (name.startsWith(prefix)) found.set(name, cookie.value)
      return found
    },
    mentions: (text) => pending !== undefined || header.includes(text),
    names(prefix) {
      const sent = cookieNames(header, prefix)
      const added = [...(pending?.keys() ?? [])].filter((name) => name.startsWith(prefix))
      return [...new Set([...sent, ...added])]
    },
    set(cookie) {
      const text = serializeCookie(cookie)
      if (text.length > MAX_COOKIE_LENGTH)
        throw new RangeError(
          `Cookie ${cookie.name} takes ${text.length} bytes and browsers keep ${MAX_COOKIE_LENGTH}.`,
        )
      write(cookie, text)
    },
    delete: remove,
    changes: () => (pending ? Array.from(pending.values(), ({ cookie }) => cookie) : []),
    headers: () => (pending ? Array.from(pending.values(), (change) => change.header) : []),
  }
}
