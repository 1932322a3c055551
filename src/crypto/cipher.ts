import { parseJsonObject } from '../is-record.ts'
import type { Awaitable } from '../types.ts'
import { fromBase64Url } from './digest.ts'

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
export const HALF_KEY_LENGTH = 32
export const IV_LENGTH = 16
export const TAG_LENGTH = 32

type ContentEncryption = 'A256CBC-HS512' | 'A256GCM'

const LENGTHS: Readonly<Record<ContentEncryption, readonly [iv: number, tag: number]>> = {
  'A256CBC-HS512': [IV_LENGTH, TAG_LENGTH],
  A256GCM: [12, 16],
}

/** The content encryption in a token header; `null` if it is not supported or the `kid` is that of another key. */
function encryptionOf(encoded: string, { header: own, kid }: CipherKey): ContentEncryption | null {
  if (encoded === own) return 'A256CBC-HS512'
  const header = parseJsonObject(new TextDecoder().decode(fromBase64Url(encoded) ?? undefined))
  // Compression and critical extensions are not supported (RFC 7516 §4.1.3, §4.1.13).
  if (header?.['alg'] !== 'dir' || 'zip' in header || 'crit' in header) return null
  if (header['enc'] === 'A256GCM') return 'A256GCM'
  const isOwn = header['kid'] === undefined || header['kid'] === kid
  return header['enc'] === 'A256CBC-HS512' && isOwn ? 'A256CBC-HS512' : null
}

export interface ParsedToken<Bytes> {
  readonly header: string
  readonly encryption: ContentEncryption
  readonly iv: Bytes
  readonly ciphertext: Bytes
  readonly tag: Bytes
}

interface Parsing<Bytes> {
  readonly accepted: AcceptedEncryption
  /** Returns `null` for text that is not base64url. */
  readonly decode: (text: string) => Bytes | null
}

/** Whether a text has the form of a compact JWE with an empty encrypted key. */
export function isCompact(token: string): boolean {
  return /^[^.]+\.\.[^.]*\.[^.]*\.[^.]*$/.test(token)
}

/** Parses a token that the key may decrypt; `null` if it cannot. */
export function parseToken<Bytes extends Uint8Array>(
  token: string,
  key: CipherKey,
  { accepted, decode }: Parsing<Bytes>,
): ParsedToken<Bytes> | null {
  const parts = token.split('.', 6)
  const [header = '', encryptedKey] = parts
  if (parts.length !== 5 || encryptedKey !== '') return null
  const encryption = encryptionOf(header, key)
  if (!encryption || (encryption === 'A256GCM' && accepted !== 'any')) return null
  const [iv, ciphertext, tag] = parts.slice(2).map(decode)
  const [ivLength, tagLength] = LENGTHS[encryption]
  if (!ciphertext || iv?.length !== ivLength || tag?.length !== tagLength) return null
  return { header, encryption, iv, ciphertext, tag }
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
