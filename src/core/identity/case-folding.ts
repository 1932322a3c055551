/** Case of e-mail addresses: ASCII only, because Unicode case folding maps different mailboxes to the same text. */

export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

export function isSameAddress(stored: unknown, address: string): boolean {
  return typeof stored === 'string' && asciiLowerCase(stored) === asciiLowerCase(address)
}

/** Whether a database may treat a character of the text as an ASCII letter: İ, ı, long s or the Kelvin sign. */
export function foldsToAscii(text: string): boolean {
  return /[\u0130\u0131\u017f\u212a]/.test(text)
}
