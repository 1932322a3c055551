import type { KeyObject } from 'node:crypto'
import { KEY_LENGTH } from './cipher.ts'
import type { CipherRuntime, EncryptionRuntime, ParsedToken } from './cipher.ts'
import { endsCanonically } from './digest.ts'
import type { NodeModules } from './node.ts'

interface NodeKeys {
  /** Also the key of A256GCM. */
  readonly mac: KeyObject
  readonly content: KeyObject
}

/** For Node, Bun and Deno: synchronous, because a round trip through WebCrypto costs more than the work itself. */
export function nodeRuntime({ crypto, Buffer }: NodeModules): CipherRuntime<NodeKeys> {
  function createDecipher({ mac, content }: NodeKeys, parsed: ParsedToken) {
    const { header, encryption, iv, tag } = parsed
    if (encryption === 'A256CBC-HS512') return crypto.createDecipheriv('aes-256-cbc', content, iv)
    const decipher = crypto.createDecipheriv('aes-256-gcm', mac, iv)
    decipher.setAAD(Buffer.from(header, 'latin1'))
    decipher.setAuthTag(tag)
    return decipher
  }

  return {
    derive: ({ secret, salt, info }) =>
      new Uint8Array(crypto.hkdfSync('sha256', secret, salt, info, KEY_LENGTH)),

    importKeys: (bytes) => ({
      mac: crypto.createSecretKey(bytes.subarray(0, KEY_LENGTH / 2)),
      content: crypto.createSecretKey(bytes.subarray(KEY_LENGTH / 2)),
    }),

    sha512: (text) => crypto.createHash('sha512').update(text).digest(),
    encode: (bytes) =>
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64url'),

    /**
     * Node skips characters of ASCII that it does not recognize, decodes others to any bytes, and also accepts base64
     * (RFC 7516 §5.2 requires base64url). A regular expression would take longer than decoding.
     */
    decode(text) {
      const { length } = text
      if (Buffer.byteLength(text) !== length || text.includes('+') || text.includes('/'))
        return null
      const bytes = Buffer.from(text, 'base64url')
      return bytes.length === Math.floor((length * 3) / 4) && endsCanonically(text) ? bytes : null
    },

    authenticate({ mac }, parts) {
      const hmac = crypto.createHmac('sha512', mac)
      for (const part of parts) hmac.update(part)
      return hmac.digest()
    },

    decrypt(keys, parsed) {
      try {
        const decipher = createDecipher(keys, parsed)
        return Buffer.concat([decipher.update(parsed.ciphertext), decipher.final()]).toString()
      } catch {
        return null
      }
    },
  }
}

export function nodeEncryption({ crypto, Buffer }: NodeModules): EncryptionRuntime<NodeKeys> {
  return {
    encrypt({ content }, iv, plaintext) {
      const cipher = crypto.createCipheriv('aes-256-cbc', content, iv)
      return Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
    },
  }
}
