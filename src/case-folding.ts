/** Case of e-mail addresses: ASCII only, because Unicode case folding maps different mailboxes to the same text. */

/** Non-ASCII characters that case folding maps to ASCII: İ, ı, long s, the Kelvin sign. */
const FOLDED = /[\u0130\u0131\u017f\u212a]/

export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

export function isSameAddress(stored: unknown, address: string): boolean {
  return typeof stored === 'string' && asciiLowerCase(stored) === asciiLowerCase(address)
}

/** Whether a database or another program may treat a character of the text as an ASCII letter. */
export function foldsToAscii(text: string): boolean {
  return FOLDED.test(text)
}
