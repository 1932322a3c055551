import { SessionTooLarge } from '../errors/classes.ts'
import type { CookieOption, ResponseCookie } from '../types.ts'
import { chunkName, cookieNames, MAX_CHUNKS, readCookies, sentNames } from './reader.ts'
import type { CookieReader } from './reader.ts'
import { MAX_COOKIE_LENGTH, serializeAttributes, serializeCookie } from './syntax.ts'

/** The cookies of a request and its response. It survives errors, so that a used transaction is always deleted. */
export interface CookieJar extends CookieReader {
  /** The value that this response sets, else the first one sent; `undefined` if it is empty or deleted. */
  get(name: string): string | undefined
  /** Names that begin with `prefix`: sent ones, oldest first (RFC 6265bis §5.8.3), then new ones. */
  names(prefix: string): readonly string[]
  /** Sets or replaces a cookie. @throws TypeError for invalid characters, RangeError above 4,096 bytes */
  set(cookie: ResponseCookie): void
  /** Like `set`, but returns `false` above 4,096 bytes. */
  trySet(cookie: ResponseCookie): boolean
  delete(cookie: CookieOption): void
  changes(): readonly ResponseCookie[]
  headers(): readonly string[]
}

export function createJar(cookieHeader: string | null | undefined): CookieJar {
  const sent = readCookies(cookieHeader)
  // Serialized at once, so that an invalid cookie fails where it is set.
  const pending = new Map<string, { readonly cookie: ResponseCookie; readonly header: string }>()

  const jar: CookieJar = {
    isTruncated: sent.isTruncated,
    get: (name) => jar.getPrefixed(name).get(name) || undefined,
    getAll(name) {
      const change = pending.get(name)
      return change ? [change.cookie.value].filter(Boolean) : sent.getAll(name)
    },
    getPrefixed(prefix) {
      const before = sent.getPrefixed(prefix)
      if (pending.size === 0) return before
      const found = new Map(before)
      for (const [name, { cookie }] of pending)
        if (name.startsWith(prefix)) found.set(name, cookie.value)
      return found
    },
    names: (prefix) => cookieNames(jar, prefix),
    set(cookie) {
      if (!jar.trySet(cookie))
        throw new RangeError(
          `Cookie ${cookie.name} takes more than the ${MAX_COOKIE_LENGTH} bytes that browsers store.`,
        )
    },
    trySet(cookie) {
      const header = serializeCookie(cookie)
      const isShort = header.length <= MAX_COOKIE_LENGTH
      if (isShort) pending.set(cookie.name, { cookie, header })
      return isShort
    },
    delete({ name, options: { expires: _expires, ...options } }) {
      // A deletion repeats the attributes, else the browser keeps the cookie (RFC 6265bis §5.7).
      jar.trySet({ name, value: '', options: { ...options, maxAge: 0 } })
    },
    changes: () => Array.from(pending.values(), ({ cookie }) => cookie),
    headers: () => Array.from(pending.values(), ({ header }) => header),
  }
  return jar
}

/** Bytes of a chunked session cookie: servers reject longer request headers. */
const MAX_TOTAL_LENGTH = 12_288

/** A cut must not split a surrogate pair, because a lone surrogate has no encoding. */
function cutPrefix(value: string, length: number): string {
  const isHalf = (value.codePointAt(length - 1) ?? 0) > 0xffff
  return value.slice(0, isHalf ? length - 1 : length)
}

/** The longest prefix that takes at most `room` characters when encoded. */
function fittingPrefix(value: string, room: number, encode: (value: string) => string): string {
  let prefix = cutPrefix(value, Math.max(0, room))
  let encoded = encode(prefix).length
  while (encoded > room && prefix) {
    const length = Math.floor((prefix.length * room) / encoded)
    prefix = cutPrefix(value, Math.min(prefix.length - 1, length))
    encoded = encode(prefix).length
  }
  return prefix
}

function largestKeys(contents: Readonly<Record<string, unknown>>): string {
  return Object.entries(contents)
    .map(([key, value]) => ({ key, length: JSON.stringify(value)?.length ?? 0 }))
    .sort((a, b) => b.length - a.length)
    .slice(0, 3)
    .map(({ key, length }) => `${key} (${length})`)
    .join(', ')
}

export interface ChunkedValue {
  readonly value: string
  readonly contents?: Readonly<Record<string, unknown>>
}

/** Sets the value in one or more cookies, and deletes stale chunks. @throws SessionTooLarge above 12 kB; sets nothing */
export function writeChunked(
  jar: CookieJar,
  { name, options }: CookieOption,
  { value, contents = {} }: ChunkedValue,
): void {
  if (jar.trySet({ name, value, options })) {
    deleteChunked(jar, { name, options }, (sent) => sent !== name)
    return
  }
  const encode = options.encode ?? encodeURIComponent
  const total = encode(value).length
  const room = MAX_COOKIE_LENGTH - serializeAttributes(options).length - '='.length
  const chunks = new Map<string, string>()
  // One chunk more than allowed if the value does not fit.
  for (let rest = value; rest && chunks.size <= MAX_CHUNKS;) {
    const chunk = chunkName(name, chunks.size)
    const prefix = fittingPrefix(rest, room - chunk.length, encode)
    chunks.set(chunk, prefix)
    rest = rest.slice(prefix.length)
  }
  if (total > MAX_TOTAL_LENGTH || chunks.size > MAX_CHUNKS)
    throw new SessionTooLarge(
      `The session cookie needs ${total} bytes and the limit is ${MAX_TOTAL_LENGTH}. Remove or shorten its largest keys: ${largestKeys(contents)}.`,
    )
  for (const [chunk, text] of chunks) jar.set({ name: chunk, value: text, options })
  deleteChunked(jar, { name, options }, (sent) => !chunks.has(sent))
}

/** Deletes the cookie and its chunks, as far as the browser sent them. */
export function deleteChunked(
  jar: CookieJar,
  { name, options }: CookieOption,
  isDeleted: (sent: string) => boolean = () => true,
): void {
  for (const sent of sentNames(jar, name)) if (isDeleted(sent)) jar.delete({ name: sent, options })
}

/** Deletes stale cookies of the same name: chunks next to a whole cookie, or a whole cookie next to chunks. */
export function deleteStale(jar: CookieJar, cookie: CookieOption, value: string): void {
  const isWhole = jar.getAll(cookie.name).includes(value)
  deleteChunked(jar, cookie, (sent) => (sent === cookie.name) !== isWhole)
}
