import { KEY_LENGTH } from './cipher.ts'
import type { Bytes, CipherRuntime, EncryptionRuntime } from './cipher.ts'
import { fromBase64Url, toBase64Url, toBytes } from './digest.ts'

interface WebKeys {
  readonly mac: CryptoKey
  readonly content: CryptoKey
  readonly gcm: CryptoKey
}

function concat(parts: readonly Bytes[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function importKey(
  bytes: Bytes,
  algorithm: string | HmacImportParams,
  usages: KeyUsage[],
): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, algorithm, false, usages)
}

/** For runtimes that have only WebCrypto: workerd, edge runtimes, browsers. */
export const webRuntime: CipherRuntime<WebKeys> = {
  async derive({ secret, salt, info }) {
    const ikm = await importKey(toBytes(secret), 'HKDF', ['deriveBits'])
    const params = { name: 'HKDF', hash: 'SHA-256', salt: toBytes(salt), info: toBytes(info) }
    return new Uint8Array(await crypto.subtle.deriveBits(params, ikm, KEY_LENGTH * 8))
  },

  async importKeys(bytes) {
    const [first, second] = [bytes.slice(0, KEY_LENGTH / 2), bytes.slice(KEY_LENGTH / 2)]
    const [mac, content, gcm] = await Promise.all([
      importKey(first, { name: 'HMAC', hash: 'SHA-512' }, ['sign']),
      importKey(second, 'AES-CBC', ['encrypt', 'decrypt']),
      importKey(first, 'AES-GCM', ['decrypt']),
    ])
    return { mac, content, gcm }
  },

  sha512: async (text) => new Uint8Array(await crypto.subtle.digest('SHA-512', toBytes(text))),
  encode: toBase64Url,
  decode: fromBase64Url,
  authenticate: async ({ mac }, parts) =>
    new Uint8Array(await crypto.subtle.sign('HMAC', mac, concat(parts))),

  async decrypt({ content, gcm }, { header, encryption, iv, ciphertext, tag }) {
    const work =
      encryption === 'A256GCM'
        ? crypto.subtle.decrypt(
            { name: 'AES-GCM', iv, additionalData: toBytes(header) },
            gcm,
            concat([ciphertext, tag]),
          )
        : crypto.subtle.decrypt({ name: 'AES-CBC', iv }, content, ciphertext)
    try {
      return new TextDecoder().decode(await work)
    } catch {
      return null
    }
  },
}

export const webEncryption: EncryptionRuntime<WebKeys> = {
  encrypt: async ({ content }, iv, plaintext) =>
    new Uint8Array(
      await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, content, toBytes(plaintext)),
    ),
}
