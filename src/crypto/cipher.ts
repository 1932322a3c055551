import type { Awaitable } from '../types.ts'

/**
 * A derived content-encryption key for compact JWE with `dir` (RFC 7516 §3.1, RFC 7518 §4.5). Opaque
 * outside the cipher that made it.
 */
export interface CipherKey {
  /** The protected header this key writes, encoded. */
  readonly header: string
  /** RFC 7638 thumbprint, written as `kid`. */
  readonly kid: string
}

/** Where a key comes from. */
export interface KeySource {
  readonly secret: string
  readonly salt: string
  /** HKDF info text (RFC 5869 §2.3). */
  readonly info: string
}

/** The content encryption of tokens that are opened. @default 'A256CBC-HS512' */
export type AcceptedEncryption = 'A256CBC-HS512' | 'any'

/**
 * Compact JWE on one runtime: writes `A256CBC-HS512`, also reads `A256GCM` where that is accepted. `decrypt` answers `null` to
 * whatever this key does not open.
 */
export interface Cipher<Key extends CipherKey = CipherKey> {
  derive(source: KeySource): Awaitable<Key>
  /** The key that {@link KEY_LENGTH} bytes are. */
  fromBytes(bytes: Uint8Array<ArrayBuffer>): Awaitable<Key>
  encrypt(key: Key, plaintext: string): Awaitable<string>
  decrypt(key: Key, token: string, accepted?: AcceptedEncryption): Awaitable<string | null>
}

/** Bits, and bytes of a key; the first half authenticates, the second encrypts (RFC 7518 §5.2.2.1). */
export const KEY_LENGTH = 64
export const MAC_KEY_LENGTH = 32
export const IV_LENGTH = 16
export const TAG_LENGTH = 32
export const GCM_KEY_LENGTH = 32
export const GCM_IV_LENGTH = 12
export const GCM_TAG_LENGTH = 16

/** The five parts of a compact JWE with `dir`, still encoded. */
export interface CompactParts {
  readonly header: string
  readonly iv: string
  readonly ciphertext: string
  readonly tag: string
}

/** Splits a token; `null` when it is not a compact JWE with an empty encrypted key. */
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

/** The header of a token as far as it decides how to open it. */
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

/** The content encryption a token asks for in its header; `null` when we do not do it. */
export function readEncryption(json: string, kid: string): 'A256CBC-HS512' | 'A256GCM' | null {
  const header = parseHeader(json)
  // Nothing else is understood: no compression, no critical extensions (RFC 7516 §4.1.3, §4.1.13).
  if (header.alg !== 'dir' || 'zip' in header || 'crit' in header) return null
  if (header.enc === 'A256GCM') return 'A256GCM'
  const ours = header.kid === undefined || header.kid === kid
  return header.enc === 'A256CBC-HS512' && ours ? 'A256CBC-HS512' : null
}

/** Length of an encoded header in bits, as the MAC wants it (RFC 7518 §5.2.2.1). */
export function bitLength(header: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setUint32(4, header.length * 8)
  return bytes
}

/** The protected header for a key. */
export function headerJson(kid: string): string {
  return JSON.stringify({ alg: 'dir', enc: 'A256CBC-HS512', kid })
}

/** What a thumbprint of an octet key is computed over (RFC 7638 §3.2). */
export function thumbprintInput(encodedKey: string): string {
  return JSON.stringify({ k: encodedKey, kty: 'oct' })
}
