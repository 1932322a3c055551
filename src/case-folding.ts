/** Case of e-mail addresses: ASCII only, because Unicode case folding turns one mailbox into another. */

/** Non-ASCII characters that case folding maps to ASCII: İ, ı, long s, the Kelvin sign. */
const FOLDED = /[\u0130\u0131\u017f\u212a]/

/** Lower case of A to Z; every other character stays as it is. */
export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Whether what an adapter returned as an address is this one. */
export function isSameAddress(stored: unknown, address: string): boolean {
  return typeof stored === 'string' && asciiLowerCase(stored) === asciiLowerCase(address)
}

/** Whether a database, or another program, may take a character of the text for an ASCII letter. */
export function foldsToAscii(text: string): boolean {
  return FOLDED.test(text)
}
