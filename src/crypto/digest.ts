import type { Awaitable } from '../types.ts'
import { toBase64Url, toBytes, toHex } from './encoding.ts'
import { node } from './node.ts'

/** A MAC for one purpose is not valid for another. */
export interface MacKey {
  readonly secret: string
  readonly purpose: 'csrf' | 'csrf-cookie'
}

/** Constant-time comparison; only the length affects the time. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let at = 0; at < a.length; at++) difference |= (a[at] ?? 0) ^ (b[at] ?? 0)
  return difference === 0
}

/** Constant-time comparison; only the length affects the time. */
export function equalText(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at)
  return difference === 0
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
