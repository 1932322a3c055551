import type { Awaitable } from '../types.ts'

/** A derived key for compact JWE with `dir` (RFC 7516 §3.1, RFC 7518 §4.5); opaque outside of its cipher. */
export interface CipherKey {
  /** The encoded protected header of tokens encrypted with this key. */
  readonly header: string
  /** JWK thumbprint (RFC 7638). */
  readonly kid: string
}

export interface KeySource {
  readonly secret: string
  readonly salt: string
  /** HKDF info (RFC 5869 §2.3). */
  readonly info: string
}

/** The accepted content encryption. @default 'A256CBC-HS512' */
export type AcceptedEncryption = 'A256CBC-HS512' | 'any'

/** Compact JWE: `A256CBC-HS512`; also decrypts `A256GCM` if accepted. `decrypt` returns `null` on failure. */
export interface Cipher<Key extends CipherKey = CipherKey> {
  derive(source: KeySource): Awaitable<Key>
  fromBytes(bytes: Uint8Array<ArrayBuffer>): Awaitable<Key>
  encrypt(key: Key, plaintext: string): Awaitable<string>
  decrypt(key: Key, token: string, accepted?: AcceptedEncryption): Awaitable<string | null>
}

/** In bytes; the first half is the MAC key, the second the encryption key (RFC 7518 §5.2.2.1). */
export const KEY_LENGTH = 64
export const MAC_KEY_LENGTH = 32
export const IV_LENGTH = 16
export const TAG_LENGTH = 32
export const GCM_KEY_LENGTH = 32
export const GCM_IV_LENGTH = 12
export const GCM_TAG_LENGTH = 16

export interface CompactParts {
  readonly header: string
  readonly iv: string
  readonly ciphertext: string
  readonly tag: string
}

/** `null` if it is not a compact JWE with an empty encrypted key. */
export function split(token: string): CompactParts | null {
  const headerEnd = token.indexOf('.')
  if (headerEnd < 1 || token.charCodeAt(headerEnd + 1) !== 0x2e) return null
  const ivEnd = token.indexOf('.', headerEnd + 2)
  const ciphertextEnd = token.indexOf('.', ivEnd + 1)
  if (ivEnd === -1 || ciphertextEnd === -1 || token.includes('.', ciphertextEnd + 1)) return null
  return {
    header: token.slice(0, headerEnd),
    iv: token.slice(headerEnd + 2, ivEnd),
    ciphertext: token.slice(ivEnd + 1, ciphertextEnd),
    tag: token.slice(ciphertextEnd + 1),
  }
}

interface JoseHeader {
  readonly alg?: unknown
  readonly enc?: unknown
  readonly kid?: unknown
}

function parseHeader(json: string): JoseHeader {
  try {
    const header: unknown = JSON.parse(json)
    return typeof header === 'object' && header !== null ? header : {}
  } catch {
    return {}
  }
}

/** The content encryption in a token header; `null` if it is not supported or the `kid` is that of another key. */
export function readEncryption(json: string, kid: string): 'A256CBC-HS512' | 'A256GCM' | null {
  const header = parseHeader(json)
  // Compression and critical extensions are not supported (RFC 7516 §4.1.3, §4.1.13).
  if (header.alg !== 'dir' || 'zip' in header || 'crit' in header) return null
  if (header.enc === 'A256GCM') return 'A256GCM'
  const ours = header.kid === undefined || header.kid === kid
  return header.enc === 'A256CBC-HS512' && ours ? 'A256CBC-HS512' : null
}

/** Length of the encoded header in bits, the AL of RFC 7518 §5.2.2.1. */
export function bitLength(header: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setUint32(4, header.length * 8)
  return bytes
}

export function headerJson(kid: string): string {
  return JSON.stringify({ alg: 'dir', enc: 'A256CBC-HS512', kid })
}

/** Input of the thumbprint of an octet key (RFC 7638 §3.2). */
export function thumbprintInput(encodedKey: string): string {
  return JSON.stringify({ k: encodedKey, kty: 'oct' })
}
