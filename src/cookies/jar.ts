import type { CookieOption, ResponseCookie } from '../types.ts'
import { bounded, cookieNames, findCookie, findCookies, findPrefixed } from './parse.ts'
import { MAX_COOKIE_LENGTH, serializeCookie } from './serialize.ts'

/**
 * The cookies of one request and what its response will set. The only mutable thing in a request; it
 * survives errors, so that a used transaction is gone even when the sign-in failed.
 */
export interface CookieJar {
  /** Whether the Cookie header was too long to be read to its end. */
  readonly isTruncated: boolean
  /** The value under that name: what this response sets, else what the browser sent first. */
  get(name: string): string | undefined
  /** The values under that name, at most five; that of a cookie without one is none. */
  getAll(name: string): readonly string[]
  /** What {@link CookieJar.get} finds for every name that begins with `prefix`, by name; empty ones may be there, too. */
  getPrefixed(prefix: string): ReadonlyMap<string, string>
  /** Whether any name may contain that text: a quick way to find that there is nothing to look for. */
  mentions(text: string): boolean
  /** Names that begin with `prefix`: those the browser sent, oldest first (RFC 6265 §5.4), then new ones. */
  names(prefix: string): readonly string[]
  /**
   * Sets a cookie; a later call for the same name replaces an earlier one.
   *
   * @throws TypeError when it has characters that a header must not have
   * @throws RangeError when it is longer than the 4,096 bytes that browsers keep
   */
  set(cookie: ResponseCookie): void
  /** Makes the browser forget a cookie. */
  delete(cookie: CookieOption): void
  /** What the response sets, one entry for each name. */
  changes(): readonly ResponseCookie[]
  /** The same as Set-Cookie headers. */
  headers(): readonly string[]
}

/** A cookie that the response sets, and how that is said: what cannot be said must not come up at the end. */
interface Change {
  readonly cookie: ResponseCookie
  readonly header: string
}

/** A jar over a Cookie header. */
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
