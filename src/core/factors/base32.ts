const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 without padding (RFC 4648 §6). */
export function toBase32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += ALPHABET[(value >>> (bits - 5)) & 31] ?? ''
    value &= (1 << bits) - 1
  }
  return bits > 0 ? text + (ALPHABET[(value << (5 - bits)) & 31] ?? '') : text
}

/** Bits that do not fill a byte are ignored, as authenticator apps do; `null` if it contains another character. */
export function fromBase32(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const character of text) {
    const digit = ALPHABET.indexOf(character)
    if (digit === -1) return null
    value = (value << 5) | digit
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push(value >>> bits)
    value &= (1 << bits) - 1
  }
  return Uint8Array.from(bytes)
}
