import {
  bitLength,
  GCM_IV_LENGTH,
  GCM_KEY_LENGTH,
  GCM_TAG_LENGTH,
  headerJson,
  IV_LENGTH,
  KEY_LENGTH,
  MAC_KEY_LENGTH,
  readEncryption,
  split,
  TAG_LENGTH,
  thumbprintInput,
} from './cipher.ts'
import type { Cipher, CipherKey } from './cipher.ts'
import { equalBytes } from './digest.ts'
import { fromBase64Url, toBase64Url, toBytes } from './encoding.ts'

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

function headerText(encoded: string): string {
  return new TextDecoder().decode(fromBase64Url(encoded) ?? new Uint8Array())
}

async function authenticate(key: WebCipherKey, header: string, iv: Bytes, text: Bytes) {
  const input = concat(toBytes(header), iv, text, bitLength(header))
  const mac = await crypto.subtle.sign('HMAC', key.mac, input)
  return new Uint8Array(mac, 0, TAG_LENGTH)
}

async function open(algorithm: AesCbcParams | AesGcmParams, key: CryptoKey, text: Bytes) {
  try {
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, text))
  } catch {
    return null
  }
}

async function fromBytes(bytes: Bytes): Promise<WebCipherKey> {
  const input = toBytes(thumbprintInput(toBase64Url(bytes)))
  const kid = toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-512', input)))
  const hmac = { name: 'HMAC', hash: 'SHA-512' }
  const [mac, content, gcm] = await Promise.all([
    crypto.subtle.importKey('raw', bytes.slice(0, MAC_KEY_LENGTH), hmac, false, ['sign']),
    crypto.subtle.importKey('raw', bytes.slice(MAC_KEY_LENGTH), 'AES-CBC', false, [
      'encrypt',
      'decrypt',
    ]),
    crypto.subtle.importKey('raw', bytes.slice(0, GCM_KEY_LENGTH), 'AES-GCM', false, ['decrypt']),
  ])
  return { kid, header: toBase64Url(toBytes(headerJson(kid))), mac, content, gcm }
}

/** For runtimes that have only WebCrypto: workerd, edge runtimes, browsers. */
export const webCipher: Cipher<WebCipherKey> = {
  async derive({ secret, salt, info }) {
    const ikm = await crypto.subtle.importKey('raw', toBytes(secret), 'HKDF', false, ['deriveBits'])
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
    const parts = split(token)
    if (!parts) return null
    const iv = fromBase64Url(parts.iv)
    const text = fromBase64Url(parts.ciphertext)
    const tag = fromBase64Url(parts.tag)
    if (!iv || !text || !tag) return null
    const encryption =
      parts.header === key.header
        ? 'A256CBC-HS512'
        : readEncryption(headerText(parts.header), key.kid)
    if (encryption === 'A256GCM') {
      if (accepted !== 'any') return null
      if (iv.length !== GCM_IV_LENGTH || tag.length !== GCM_TAG_LENGTH) return null
      const algorithm = { name: 'AES-GCM', iv, additionalData: toBytes(parts.header) }
      return open(algorithm, key.gcm, concat(text, tag))
    }
    if (!encryption || iv.length !== IV_LENGTH || tag.length !== TAG_LENGTH) return null
    if (!equalBytes(await authenticate(key, parts.header, iv, text), tag)) return null
    return open({ name: 'AES-CBC', iv }, key.content, text)
  },
}
