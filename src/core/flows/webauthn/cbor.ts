/** Reads CBOR (RFC 8949), in the definite-length encoding that authenticators use (CTAP2 §8). */

/** Reads the head of an item (§3): its major type, its argument, and where its content starts. */
export function readHead(
  bytes: Uint8Array,
  at: number,
): readonly [type: number, value: number, next: number] | null {
  const first = bytes[at]
  if (first === undefined) return null
  const [type, info] = [first >> 5, first & 31]
  if (info < 24) return [type, info, at + 1]
  const length = info <= 26 ? 1 << (info - 24) : NaN
  const argument = bytes.subarray(at + 1, at + 1 + length)
  if (argument.length !== length) return null
  return [type, argument.reduce((value, byte) => value * 256 + byte, 0), at + 1 + length]
}

const MAX_DEPTH = 8

/** Returns where an item of any type ends; `null` if it is incomplete or nested too deeply. */
function findEnd(bytes: Uint8Array, at: number, depth = 0): number | null {
  const head = readHead(bytes, at)
  if (!head || depth > MAX_DEPTH) return null
  const [type, value, next] = head
  if (type === 2 || type === 3) return next + value <= bytes.length ? next + value : null
  // Arrays, maps and tags contain items.
  let end: number | null = next
  for (let left = { 4: value, 5: value * 2, 6: 1 }[type] ?? 0; left > 0 && end !== null; left--)
    end = findEnd(bytes, end, depth + 1)
  return end
}

function decodeKey(bytes: Uint8Array): string | number | null {
  const [type = NaN, value = NaN, start] = readHead(bytes, 0) ?? []
  if (type === 3) return new TextDecoder().decode(bytes.subarray(start))
  return type > 1 ? null : type === 1 ? -1 - value : value
}

/** The encoded values of a map by its texts or integers; `null` for anything else, also with duplicates or trailing bytes. */
export function readMembers(bytes: Uint8Array): ReadonlyMap<string | number, Uint8Array> | null {
  const [type, count = 0, start] = readHead(bytes, 0) ?? []
  if (type !== 5 || start === undefined) return null
  const members = new Map<string | number, Uint8Array>()
  let at = start
  for (let left = count; left > 0; left--) {
    const middle = findEnd(bytes, at)
    const end = middle === null ? null : findEnd(bytes, middle)
    if (middle === null || end === null) return null
    const key = decodeKey(bytes.subarray(at, middle))
    if (key === null || members.has(key)) return null
    members.set(key, bytes.subarray(middle, end))
    at = end
  }
  return at === bytes.length ? members : null
}
