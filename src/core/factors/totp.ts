/** Time-based one-time passwords (RFC 6238): SHA-1, 30 seconds and 6 digits, which every authenticator app supports. */
import { equalText } from '../crypto/digest.ts'
import { fromBase32, toBase32 } from './base32.ts'

type Bytes = ReturnType<typeof Uint8Array.from>

const PERIOD = 30
const DIGITS = 6
/** Bytes, as many as the hash has (RFC 4226 §4). */
const KEY_LENGTH = 20
/** Bytes of a key of another system: many have 80 bits. */
const KEY_LENGTHS = { min: 10, max: 64 }
/** Steps before and after the current one, for clocks that differ and for the time to type (RFC 6238 §5.2). */
const WINDOW = 1

export function createKey(): Bytes {
  return crypto.getRandomValues(new Uint8Array(KEY_LENGTH))
}

export function stepAt(milliseconds: number): number {
  return Math.floor(milliseconds / 1000 / PERIOD)
}

/** RFC 4226 §5.3. */
export async function codeAt(key: Bytes, step: number): Promise<string> {
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(step))
  const algorithm = { name: 'HMAC', hash: 'SHA-1' }
  const signer = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  const mac = new DataView(await crypto.subtle.sign('HMAC', signer, counter.buffer))
  const offset = mac.getUint8(mac.byteLength - 1) & 0xf
  const number = mac.getUint32(offset) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The time step of a valid code, if it is later than `after`; else `null`. The time does not depend on the code. */
export async function findStep(
  key: Bytes,
  code: string,
  after: number | null,
): Promise<number | null> {
  const now = stepAt(Date.now())
  let found: number | null = null
  for (let step = now - WINDOW; step <= now + WINDOW; step++)
    if (equalText(await codeAt(key, step), code) && step > (after ?? -1)) found ??= step
  return found
}

/** The key of another system, in Base32 with or without spaces and padding; `null` if it is not one. */
export function parseKey(text: string): Bytes | null {
  const key = fromBase32(
    text.replace(/[\s\p{Pd}=]/gu, '').replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  )
  return key && key.length >= KEY_LENGTHS.min && key.length <= KEY_LENGTHS.max ? key : null
}

/** Characters of the issuer, and of the label: a QR code has room for 2,953 bytes. */
const MAX_NAME = 400

/** Without the colon, which separates the issuer from the label, and what no address can contain. */
function encodeName(text: string): string {
  let encoded = ''
  for (const letter of text.replaceAll(':', ' ').replace(/\p{Surrogate}/gu, '')) {
    const next = encoded + encodeURIComponent(letter)
    if (next.length > MAX_NAME) return encoded
    encoded = next
  }
  return encoded
}

/** The key as authenticator apps read it. */
export function keyText(key: Bytes): string {
  return toBase32(key)
}

/** The address that an authenticator app opens, and that its QR code contains (the Key URI format of Google Authenticator). */
export function keyUri(
  key: Bytes,
  { issuer, label }: { readonly issuer: string; readonly label: string },
): string {
  const [site, user] = [issuer, label].map(encodeName)
  return `otpauth://totp/${site}:${user}?secret=${keyText(key)}&issuer=${site}&algorithm=SHA1&digits=${DIGITS}&period=${PERIOD}`
}
