import { SessionTooLarge } from '../errors/session.ts'
import type { CookieOption } from '../types.ts'
import type { CookieJar } from './jar.ts'
import { MAX_COOKIE_LENGTH, serializeAttributes } from './serialize.ts'

/** Bytes of a chunked session cookie: servers reject longer request headers. */
const MAX_TOTAL_LENGTH = 12_288
const MAX_CHUNKS = 10

const NOTHING: readonly string[] = []

interface Piece {
  readonly name: string
  readonly value: string
}

/** A value that is too long for one cookie is stored in `name.0`, `name.1`, … */
function chunkName(name: string, index: number): string {
  return `${name}.${index}`
}

/** The names under which the browser sent the value or chunks of it. */
function heldNames(jar: CookieJar, name: string): readonly string[] {
  if (!jar.mentions(name)) return NOTHING
  const isOurs = (other: string) => other === name || /^\.\d+$/.test(other.slice(name.length))
  return jar.names(name).filter(isOurs)
}

/** Whether the browser sent the value or a chunk of it, even if empty. */
export function isHeld(jar: CookieJar, name: string): boolean {
  return heldNames(jar, name).length > 0
}

/** Possible values, best first; chunks too, because an attacker may have set the whole cookie. */
export function readChunked(jar: CookieJar, name: string): readonly string[] {
  if (!jar.mentions(name)) return NOTHING
  const whole = jar.getAll(name)
  if (!jar.mentions(chunkName(name, 0))) return whole
  const pieces = jar.getPrefixed(`${name}.`)
  let value = ''
  for (let index = 0; index < MAX_CHUNKS; index++) {
    const piece = pieces.get(chunkName(name, index))
    if (!piece) break
    value += piece
  }
  return value ? [...whole, value] : whole
}

/** A cut must not split a surrogate pair, because a lone surrogate has no encoding. */
function start(value: string, length: number): string {
  const isHalf = (value.codePointAt(length - 1) ?? 0) > 0xffff
  return value.slice(0, isHalf ? length - 1 : length)
}

/** The longest prefix that takes at most `room` characters when encoded. */
function fit(value: string, room: number, encode: (value: string) => string): string {
  let piece = start(value, Math.max(0, room))
  let encoded = encode(piece).length
  while (encoded > room && piece) {
    piece = start(value, Math.min(piece.length - 1, Math.floor((piece.length * room) / encoded)))
    encoded = encode(piece).length
  }
  return piece
}

interface Room {
  readonly roomFor: (name: string) => number
  readonly encode: (value: string) => string
}

/** One chunk more than allowed if the value does not fit. */
function split({ name, value }: Piece, { roomFor, encode }: Room): Piece[] {
  const pieces: Piece[] = []
  for (let rest = value; rest && pieces.length <= MAX_CHUNKS;) {
    const chunk = chunkName(name, pieces.length)
    const piece = fit(rest, roomFor(chunk), encode)
    pieces.push({ name: chunk, value: piece })
    rest = rest.slice(piece.length)
  }
  return pieces
}

/** The three largest keys, for the developer who has to make the session smaller. */
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
  readonly contents: Readonly<Record<string, unknown>>
}

/**
 * Sets the value in as many cookies as it needs, and deletes stale chunks.
 * @throws SessionTooLarge if the value exceeds 12 kB; no cookie is set then
 */
export function writeChunked(
  jar: CookieJar,
  { name, options }: CookieOption,
  { value, contents }: ChunkedValue,
): void {
  const encode = options.encode ?? encodeURIComponent
  const attributes = serializeAttributes(options).length
  const roomFor = (cookie: string) => MAX_COOKIE_LENGTH - attributes - cookie.length - 1
  const total = encode(value).length
  const isWhole = total <= roomFor(name)
  const pieces = isWhole ? [{ name, value }] : split({ name, value }, { roomFor, encode })
  if (total > MAX_TOTAL_LENGTH || pieces.length > MAX_CHUNKS)
    throw new SessionTooLarge(
      `The session cookie needs ${total} bytes and the limit is ${MAX_TOTAL_LENGTH}. Remove or shorten its largest keys: ${largestKeys(contents)}.`,
    )
  for (const piece of pieces) jar.set({ ...piece, options })
  const written = new Set(pieces.map((piece) => piece.name))
  for (const held of heldNames(jar, name))
    if (!written.has(held)) jar.delete({ name: held, options })
}

export function deleteChunked(jar: CookieJar, { name, options }: CookieOption): void {
  for (const held of heldNames(jar, name)) jar.delete({ name: held, options })
}

/** Deletes stale cookies of the same name: chunks next to a whole cookie, or a whole cookie next to chunks. */
export function deleteStale(jar: CookieJar, { name, options }: CookieOption, value: string): void {
  const whole = jar.getAll(name)
  if (whole.includes(value)) {
    for (const held of heldNames(jar, name)) if (held !== name) jar.delete({ name: held, options })
  } else if (whole.length > 0) jar.delete({ name, options })
}
