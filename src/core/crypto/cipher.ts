import { chain } from '../async/awaitable.ts'
import { parseJsonObject } from '../is-record.ts'
import type { Awaitable } from '../types.ts'
import { equalBytes, fromBase64Url, toBytes } from './digest.ts'

// `Uint8Array<ArrayBuffer>`; before TypeScript 5.7, the type has no parameter, and declarations contain this line.
export type Bytes = ReturnType<typeof Uint8Array.from>

/** A derived key for compact JWE with `dir` (RFC 7516 §3.1, RFC 7518 §4.5). */
export interface CipherKey<Keys = unknown> {
  /** The encoded protected header of tokens encrypted with this key. */
  readonly header: string
  /** JWK thumbprint (RFC 7638). */
  readonly kid: string
  /** Opaque outside of the runtime. */
  readonly keys: Keys
}

export interface KeySource {
  readonly secret: string
  readonly salt: string
  /** HKDF info (RFC 5869 §2.3). */
  readonly info: string
}

/** The accepted content encryption. @default 'A256CBC-HS512' */
export type AcceptedEncryption = 'A256CBC-HS512' | 'any'

/** The operations of a runtime, synchronous if it has them. */
export interface CipherRuntime<Keys = unknown> {
  /** HKDF-SHA-256 (RFC 5869) of 64 bytes: the first half is the MAC key, the second encrypts (RFC 7518 §5.2.2.1). */
  derive(source: KeySource): Awaitable<Bytes>
  importKeys(bytes: Bytes): Awaitable<Keys>
  sha512(text: string): Awaitable<Bytes>
  /** Base64url. */
  encode(bytes: Bytes): string
  /** `null` if the text is not canonical base64url. */
  decode(text: string): Bytes | null
  /** HMAC-SHA-512. */
  authenticate(keys: Keys, parts: readonly Bytes[]): Awaitable<Bytes>
  /** `null` on failure. The tag is verified only for `A256GCM`. */
  decrypt(keys: Keys, token: ParsedToken): Awaitable<string | null>
}

/** In bytes. */
export const KEY_LENGTH = 64
const IV_LENGTH = 16
const TAG_LENGTH = 32

/** Apart, so that a bundle that only decrypts does not contain it. */
export interface EncryptionRuntime<Keys = unknown> {
  encrypt(keys: Keys, iv: Bytes, plaintext: string): Awaitable<Bytes>
}

type ContentEncryption = 'A256CBC-HS512' | 'A256GCM'

const LENGTHS: Readonly<Record<ContentEncryption, readonly [iv: number, tag: number]>> = {
  'A256CBC-HS512': [IV_LENGTH, TAG_LENGTH],
  A256GCM: [12, 16],
}

/** The content encryption in a token header; `null` if it is not supported or the `kid` is that of another key. */
function readEncryption(
  encoded: string,
  { header: own, kid }: CipherKey,
): ContentEncryption | null {
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

/** Parses a token that the key may decrypt; `null` if it cannot. */
function parseToken(
  token: string,
  key: CipherKey,
  accepted: AcceptedEncryption,
  decode: CipherRuntime['decode'],
): ParsedToken | null {
  const parts = token.split('.', 6)
  const [header = '', encryptedKey] = parts
  if (parts.length !== 5 || encryptedKey !== '') return null
  const encryption = readEncryption(header, key)
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

export function createKey(runtime: CipherRuntime, bytes: Bytes): Awaitable<CipherKey> {
  // The key id is the thumbprint of the key (RFC 7638 §3.2).
  const jwk = JSON.stringify({ k: runtime.encode(bytes), kty: 'oct' })
  return chain(runtime.sha512(jwk), (digest) => {
    const kid = runtime.encode(digest)
    const header = runtime.encode(
      toBytes(JSON.stringify({ alg: 'dir', enc: 'A256CBC-HS512', kid })),
    )
    return chain(runtime.importKeys(bytes), (keys) => ({ header, kid, keys }))
  })
}

function computeTag(
  runtime: CipherRuntime,
  { header, keys }: Pick<CipherKey, 'header' | 'keys'>,
  [iv, ciphertext]: readonly [iv: Bytes, ciphertext: Bytes],
): Awaitable<Bytes> {
  const mac = runtime.authenticate(keys, [toBytes(header), iv, ciphertext, bitLength(header)])
  return chain(mac, (all) => all.subarray(0, TAG_LENGTH))
}

/** Encrypts as compact JWE with `A256CBC-HS512`. */
export function encrypt(
  runtime: CipherRuntime & EncryptionRuntime,
  key: CipherKey,
  plaintext: string,
): Awaitable<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_LENGTH))
  return chain(runtime.encrypt(key.keys, iv, plaintext), (ciphertext) =>
    chain(computeTag(runtime, key, [iv, ciphertext]), (tag) => {
      const parts = [iv, ciphertext, tag].map((part) => runtime.encode(part))
      return `${key.header}..${parts.join('.')}`
    }),
  )
}

interface Decryption {
  readonly key: CipherKey
  readonly token: string
  readonly accepted?: AcceptedEncryption
}

/** `null` on failure. */
export function decrypt(
  runtime: CipherRuntime,
  { key, token, accepted = 'A256CBC-HS512' }: Decryption,
): Awaitable<string | null> {
  const parsed = parseToken(token, key, accepted, (text) => runtime.decode(text))
  if (!parsed) return null
  const { keys } = key
  const { header, encryption, iv, ciphertext, tag } = parsed
  if (encryption === 'A256GCM') return runtime.decrypt(keys, parsed)
  return chain(computeTag(runtime, { header, keys }, [iv, ciphertext]), (expected) =>
    equalBytes(expected, tag) ? runtime.decrypt(keys, parsed) : null,
  )
}
