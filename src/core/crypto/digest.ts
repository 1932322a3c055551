/** Digests and random values, and their encodings. */
import type { Awaitable } from '../types.ts'
import { node } from './node.ts'

const encoder = new TextEncoder()

export function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

/** Unpadded base64url (RFC 4648 §5). */
export function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Last characters whose unused bits are 0, by the length of the text modulo 4; 1 is impossible. */
const LAST_CHARACTERS: Readonly<Record<number, string>> = { 2: 'AQgw', 3: 'AEIMQUYcgkosw048' }

/** Decoders ignore the unused bits of the last character, so several texts would be the same bytes (RFC 4648 §3.5). */
export function endsCanonically(text: string): boolean {
  const rest = text.length % 4
  return rest === 0 || (LAST_CHARACTERS[rest]?.includes(text.slice(-1)) ?? false)
}

/** `null` if the text is not unpadded, canonical base64url. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text) || !endsCanonically(text)) return null
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    )
  } catch {
    return null
  }
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** 43 characters, for state, nonce and code verifier (RFC 7636 §4.1). */
export function randomBase64Url(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
}

/** 64 hexadecimal digits, for session tokens and magic links. */
export function randomHex(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(32)))
}

/** A MAC for one purpose is not valid for another. */
export interface MacKey {
  readonly secret: string
  readonly purpose:
    | 'audit'
    | 'csrf'
    | 'csrf-cookie'
    | 'email-code'
    | 'limit'
    | 'passkey-decoy'
    | 'recovery-code'
    | 'session-token'
}

/** Constant-time comparison; only the length affects the time. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let at = 0; at < a.length; at++) difference |= (a[at] ?? 0) ^ (b[at] ?? 0)
  return difference === 0
}

export function equalText(a: string, b: string): boolean {
  return equalBytes(toBytes(a), toBytes(b))
}

export function sha256(text: string, encoding: 'hex' | 'base64url'): Awaitable<string> {
  if (node) return node.crypto.createHash('sha256').update(text).digest(encoding)
  return crypto.subtle.digest('SHA-256', toBytes(text)).then((buffer) => {
    const bytes = new Uint8Array(buffer)
    return encoding === 'hex' ? toHex(bytes) : toBase64Url(bytes)
  })
}

export function hmac(text: string, { secret, purpose }: MacKey): Awaitable<string> {
  const message = `lib.${purpose}.${text}`
  if (!node) return webHmac(secret, message)
  const key = node.Buffer.from(secret, 'utf8')
  return node.crypto.createHmac('sha256', key).update(message).digest('hex')
}

async function webHmac(secret: string, message: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', toBytes(secret), algorithm, false, ['sign'])
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, toBytes(message))))
}
