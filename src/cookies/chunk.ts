import { SessionTooLarge } from '../errors/session.ts'
import type { CookieOption } from '../types.ts'
import type { CookieJar } from './jar.ts'
import { MAX_COOKIE_LENGTH, serializeAttributes } from './serialize.ts'

/** What one session may take altogether, in bytes; servers refuse longer request headers. */
const MAX_TOTAL_LENGTH = 12_288
const MAX_CHUNKS = 10

const NOTHING: readonly string[] = []

/** What goes into one cookie. */
interface Piece {
  readonly name: string
  readonly value: string
}

/** A value that is too long for one cookie lives in `name.0`, `name.1`, …; a short one in `name`. */
function chunkName(name: string, index: number): string {
  return `${name}.${index}`
}

/** The names under which the browser holds the value or pieces of it. */
function heldNames(jar: CookieJar, name: string): readonly string[] {
  if (!jar.mentions(name)) return NOTHING
  const isOurs = (other: string) => other === name || /^\.\d+$/.test(other.slice(name.length))
  return jar.names(name).filter(isOurs)
}

/** Whether the browser holds the value or a chunk of it, empty ones included. */
export function isHeld(jar: CookieJar, name: string): boolean {
  return heldNames(jar, name).length > 0
}

/**
 * What may be the value, best candidate first; empty when the browser sent none. A whole cookie comes
 * first; pieces beside it are tried too, because the whole one may be somebody else's garbage.
 */
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

/** The first characters, one less where the cut would go through a surrogate pair: halves have no encoding. */
function start(value: string, length: number): string {
  const isHalf = (value.codePointAt(length - 1) ?? 0) > 0xffff
  return value.slice(0, isHalf ? length - 1 : length)
}

/** Longest start of `value` that fits into `room` once encoded. */
function fit(value: string, room: number, encode: (value: string) => string): string {
  let piece = start(value, Math.max(0, room))
  let encoded = encode(piece).length
  while (encoded > room && piece) {
    piece = start(value, Math.min(piece.length - 1, Math.floor((piece.length * room) / encoded)))
    encoded = encode(piece).length
  }
  return piece
}

/** How much goes into one cookie. */
interface Room {
  readonly roomFor: (name: string) => number
  readonly encode: (value: string) => string
}

/** The value in cookies of a length browsers keep; one too many when those allowed do not suffice. */
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

/** The three keys that take the most room, for the person who has to make the session smaller. */
function largestKeys(contents: Readonly<Record<string, unknown>>): string {
  return Object.entries(contents)
    .map(([key, value]) => ({ key, length: JSON.stringify(value)?.length ?? 0 }))
    .sort((a, b) => b.length - a.length)
    .slice(0, 3)
    .map(({ key, length }) => `${key} (${length})`)
    .join(', ')
}

/** What to store, and what it was made from. */
export interface ChunkedValue {
  readonly value: string
  /** The keys of this are named when the value is too large. */
  readonly contents: Readonly<Record<string, unknown>>
}

/**
 * Sets the value, in as many cookies as it takes, and removes pieces that no longer belong to it.
 *
 * @throws SessionTooLarge when the value takes more than 12 kB; nothing is written then.
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

/** Removes the value and every piece of it that the browser holds. */
export function deleteChunked(jar: CookieJar, { name, options }: CookieOption): void {
  for (const held of heldNames(jar, name)) jar.delete({ name: held, options })
}

/** Removes what is left of other values beside this one: pieces beside a whole, or a whole beside pieces. */
export function deleteBeside(jar: CookieJar, { name, options }: CookieOption, value: string): void {
  const whole = jar.getAll(name)
  if (whole.includes(value)) {
    for (const held of heldNames(jar, name)) if (held !== name) jar.delete({ name: held, options })
  } else if (whole.length > 0) jar.delete({ name, options })
}
