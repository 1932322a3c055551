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
import type { NodeBytes, NodeCrypto, NodeModules } from './node.ts'

type KeyObject = ReturnType<NodeCrypto['createSecretKey']>

interface NodeCipherKey extends CipherKey {
  readonly headerBytes: Uint8Array
  readonly headerLength: Uint8Array
  readonly mac: KeyObject
  readonly content: KeyObject
  readonly gcm: KeyObject
}

interface Sealed {
  readonly iv: Uint8Array
  readonly text: Uint8Array
  readonly aad?: Uint8Array
  readonly tag?: Uint8Array
}

/** For Node, Bun and Deno: synchronous, because a round trip through WebCrypto costs more than the work itself. */
export function nodeCipher({ crypto, Buffer }: NodeModules): Cipher<NodeCipherKey> {
  function fromBytes(bytes: Uint8Array): NodeCipherKey {
    const encoded = Buffer.concat([bytes]).toString('base64url')
    const kid = crypto.createHash('sha512').update(thumbprintInput(encoded)).digest('base64url')
    const header = Buffer.from(headerJson(kid), 'utf8').toString('base64url')
    return {
      kid,
      header,
      headerBytes: Buffer.from(header, 'latin1'),
      headerLength: bitLength(header),
      mac: crypto.createSecretKey(bytes.subarray(0, MAC_KEY_LENGTH)),
      content: crypto.createSecretKey(bytes.subarray(MAC_KEY_LENGTH)),
      gcm: crypto.createSecretKey(bytes.subarray(0, GCM_KEY_LENGTH)),
    }
  }

  /** `null` if the text is not base64url: Node skips characters that it does not recognize. */
  function decode(text: string): NodeBytes | null {
    const bytes = Buffer.from(text, 'base64url')
    const isWhole = text.length % 4 !== 1 && bytes.length === Math.floor((text.length * 3) / 4)
    return isWhole ? bytes : null
  }

  function authenticate(key: NodeCipherKey, header: string, iv: Uint8Array, text: Uint8Array) {
    const isOwn = header === key.header
    const bytes = isOwn ? key.headerBytes : Buffer.from(header, 'latin1')
    const length = isOwn ? key.headerLength : bitLength(header)
    const mac = crypto.createHmac('sha512', key.mac)
    return mac.update(bytes).update(iv).update(text).update(length).digest().subarray(0, TAG_LENGTH)
  }

  function open(algorithm: string, key: KeyObject, { iv, text, aad, tag }: Sealed): string | null {
    try {
      const decipher = crypto.createDecipheriv(algorithm, key, iv)
      if (aad && tag) {
        decipher.setAAD(aad)
        decipher.setAuthTag(tag)
      }
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
    } catch {
      return null
    }
  }

  return {
    derive: ({ secret, salt, info }) =>
      fromBytes(new Uint8Array(crypto.hkdfSync('sha256', secret, salt, info, KEY_LENGTH))),

    fromBytes,

    encrypt(key, plaintext) {
      const iv = crypto.randomBytes(IV_LENGTH)
      const cipher = crypto.createCipheriv('aes-256-cbc', key.content, iv)
      const text = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      const tag = Buffer.concat([authenticate(key, key.header, iv, text)])
      return `${key.header}..${iv.toString('base64url')}.${text.toString('base64url')}.${tag.toString('base64url')}`
    },

    decrypt(key, token, accepted = 'A256CBC-HS512') {
      const parts = split(token)
      // Node also accepts base64, so a modified token would be decrypted (RFC 7516 §5.2).
      if (!parts || token.includes('+') || token.includes('/')) return null
      const iv = decode(parts.iv)
      const text = decode(parts.ciphertext)
      const tag = decode(parts.tag)
      if (!iv || !text || !tag) return null
      const encryption =
        parts.header === key.header
          ? 'A256CBC-HS512'
          : readEncryption(Buffer.from(parts.header, 'base64url').toString('utf8'), key.kid)
      if (encryption === 'A256GCM') {
        if (accepted !== 'any') return null
        if (iv.length !== GCM_IV_LENGTH || tag.length !== GCM_TAG_LENGTH) return null
        const aad = Buffer.from(parts.header, 'latin1')
        return open('aes-256-gcm', key.gcm, { iv, text, aad, tag })
      }
      if (!encryption || iv.length !== IV_LENGTH || tag.length !== TAG_LENGTH) return null
      if (!crypto.timingSafeEqual(authenticate(key, parts.header, iv, text), tag)) return null
      return open('aes-256-cbc', key.content, { iv, text })
    },
  }
}
