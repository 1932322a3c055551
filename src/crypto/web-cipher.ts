import {
  bitLength,
  HALF_KEY_LENGTH,
  headerJson,
  IV_LENGTH,
  KEY_LENGTH,
  parseToken,
  TAG_LENGTH,
  thumbprintInput,
} from './cipher.ts'
import type { Cipher, CipherKey } from './cipher.ts'
import { equalBytes, fromBase64Url, toBase64Url, toBytes } from './digest.ts'

type Bytes = Uint8Array<ArrayBuffer>

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
    const parsed = parseToken(token, key, { accepted, decode: fromBase64Url })
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
