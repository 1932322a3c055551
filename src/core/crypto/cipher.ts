import { parseJsonObject } from '../is-record.ts'
import type { Awaitable } from '../types.ts'
import { equalBytes, fromBase64Url, toBase64Url, toBytes } from './digest.ts'

type Bytes = Uint8Array<ArrayBuffer>

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
  fromBytes(bytes: Bytes): Awaitable<Key>
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

export interface ParsedToken {
  readonly header: string
  readonly encryption: ContentEncryption
  readonly iv: Bytes
  readonly ciphertext: Bytes
  readonly tag: Bytes
}

/** Whether a text has the form of a compact JWE with an empty encrypted key. */
export function isCompact(token: string): boolean {
  return /^[^.]+\.\.[^.]*\.[^.]*\.[^.]*$/.test(token)
}

/** Parses a token that the key may decrypt; `null` if it cannot. `decode` returns `null` if a part is not base64url. */
export function parseToken(
  token: string,
  key: CipherKey,
  accepted: AcceptedEncryption,
  decode: (text: string) => Bytes | null,
): ParsedToken | null {
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
export function bitLength(header: string): Bytes {
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

interface WebCipherKey extends CipherKey {
  readonly mac: CryptoKey
  readonly content: CryptoKey
  readonly gcm: CryptoKey
}

function concat(...parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

async function authenticate(key: WebCipherKey, header: string, iv: Bytes, text: Bytes) {
  const input = concat(toBytes(header), iv, text, bitLength(header))
  const mac = await crypto.subtle.sign('HMAC', key.mac, input)
  return new Uint8Array(mac, 0, TAG_LENGTH)
}

function importKey(
  bytes: Bytes,
  algorithm: string | HmacImportParams,
  usages: KeyUsage[],
): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, algorithm, false, usages)
}

async function fromBytes(bytes: Bytes): Promise<WebCipherKey> {
  const input = toBytes(thumbprintInput(toBase64Url(bytes)))
  const kid = toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-512', input)))
  const [first, second] = [bytes.slice(0, HALF_KEY_LENGTH), bytes.slice(HALF_KEY_LENGTH)]
  const [mac, content, gcm] = await Promise.all([
    importKey(first, { name: 'HMAC', hash: 'SHA-512' }, ['sign']),
    importKey(second, 'AES-CBC', ['encrypt', 'decrypt']),
    importKey(first, 'AES-GCM', ['decrypt']),
  ])
  return { kid, header: toBase64Url(toBytes(headerJson(kid))), mac, content, gcm }
}

/** For runtimes that have only WebCrypto: workerd, edge runtimes, browsers. */
export const webCipher: Cipher<WebCipherKey> = {
  async derive({ secret, salt, info }) {
    const ikm = await importKey(toBytes(secret), 'HKDF', ['deriveBits'])
    const params = { name: 'HKDF', hash: 'SHA-256', salt: toBytes(salt), info: toBytes(info) }
    return fromBytes(new Uint8Array(await crypto.subtle.deriveBits(params, ikm, KEY_LENGTH * 8)))
  },

  fromBytes,

  async encrypt(key, plaintext) {
    const iv = crypto.getRandomValues(new Uint8Array(IV_LENGTH))
    const algorithm = { name: 'AES-CBC', iv }
    const text = new Uint8Array(
      await crypto.subtle.encrypt(algorithm, key.content, toBytes(plaintext)),
    )
    const tag = await authenticate(key, key.header, iv, text)
    return `${key.header}..${toBase64Url(iv)}.${toBase64Url(text)}.${toBase64Url(tag)}`
  },

  async decrypt(key, token, accepted = 'A256CBC-HS512') {
    const parsed = parseToken(token, key, accepted, fromBase64Url)
    if (!parsed) return null
    const { header, encryption, iv, ciphertext, tag } = parsed
    const isGcm = encryption === 'A256GCM'
    if (!isGcm && !equalBytes(await authenticate(key, header, iv, ciphertext), tag)) return null
    const work = isGcm
      ? crypto.subtle.decrypt(
          { name: 'AES-GCM', iv, additionalData: toBytes(header) },
          key.gcm,
          concat(ciphertext, tag),
        )
      : crypto.subtle.decrypt({ name: 'AES-CBC', iv }, key.content, ciphertext)
    try {
      return new TextDecoder().decode(await work)
    } catch {
      return null
    }
  },
}
