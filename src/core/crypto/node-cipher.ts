import type { KeyObject } from 'node:crypto'
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
import type { Cipher, CipherKey, ParsedToken } from './cipher.ts'
import { endsCanonically } from './digest.ts'
import type { NodeModules } from './node.ts'

interface NodeCipherKey extends CipherKey {
  readonly headerBytes: Uint8Array
  readonly headerLength: Uint8Array
  readonly mac: KeyObject
  readonly content: KeyObject
  readonly gcm: KeyObject
}

function createKey({ crypto, Buffer }: NodeModules, bytes: Uint8Array): NodeCipherKey {
  const encoded = Buffer.concat([bytes]).toString('base64url')
  const kid = crypto.createHash('sha512').update(thumbprintInput(encoded)).digest('base64url')
  const header = Buffer.from(headerJson(kid), 'utf8').toString('base64url')
  const firstHalf = crypto.createSecretKey(bytes.subarray(0, HALF_KEY_LENGTH))
  return {
    kid,
    header,
    headerBytes: Buffer.from(header, 'latin1'),
    headerLength: bitLength(header),
    mac: firstHalf,
    content: crypto.createSecretKey(bytes.subarray(HALF_KEY_LENGTH)),
    gcm: firstHalf,
  }
}

/** For Node, Bun and Deno: synchronous, because a round trip through WebCrypto costs more than the work itself. */
export function nodeCipher(modules: NodeModules): Cipher<NodeCipherKey> {
  const { crypto, Buffer } = modules

  /**
   * Node skips characters of ASCII that it does not recognize, decodes others to any bytes, and also accepts base64
   * (RFC 7516 §5.2 requires base64url). A regular expression would take longer than decoding.
   */
  function decode(text: string): Uint8Array<ArrayBuffer> | null {
    const { length } = text
    if (Buffer.byteLength(text) !== length || text.includes('+') || text.includes('/')) return null
    const bytes = Buffer.from(text, 'base64url')
    return bytes.length === Math.floor((length * 3) / 4) && endsCanonically(text) ? bytes : null
  }

  function authenticate(key: NodeCipherKey, header: string, iv: Uint8Array, text: Uint8Array) {
    const isOwn = header === key.header
    const bytes = isOwn ? key.headerBytes : Buffer.from(header, 'latin1')
    const length = isOwn ? key.headerLength : bitLength(header)
    const mac = crypto.createHmac('sha512', key.mac)
    return mac.update(bytes).update(iv).update(text).update(length).digest().subarray(0, TAG_LENGTH)
  }

  function createDecipher(key: NodeCipherKey, parsed: ParsedToken) {
    const { header, encryption, iv, tag } = parsed
    if (encryption === 'A256CBC-HS512')
      return crypto.createDecipheriv('aes-256-cbc', key.content, iv)
    const decipher = crypto.createDecipheriv('aes-256-gcm', key.gcm, iv)
    decipher.setAAD(Buffer.from(header, 'latin1'))
    decipher.setAuthTag(tag)
    return decipher
  }

  return {
    derive: ({ secret, salt, info }) =>
      createKey(modules, new Uint8Array(crypto.hkdfSync('sha256', secret, salt, info, KEY_LENGTH))),

    fromBytes: (bytes) => createKey(modules, bytes),

    encrypt(key, plaintext) {
      const iv = crypto.randomBytes(IV_LENGTH)
      const cipher = crypto.createCipheriv('aes-256-cbc', key.content, iv)
      const text = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      const tag = Buffer.concat([authenticate(key, key.header, iv, text)])
      return `${key.header}..${iv.toString('base64url')}.${text.toString('base64url')}.${tag.toString('base64url')}`
    },

    decrypt(key, token, accepted = 'A256CBC-HS512') {
      const parsed = parseToken(token, key, accepted, decode)
      if (!parsed) return null
      const { header, encryption, iv, ciphertext, tag } = parsed
      const isAuthentic =
        encryption === 'A256GCM' ||
        crypto.timingSafeEqual(authenticate(key, header, iv, ciphertext), tag)
      if (!isAuthentic) return null
      try {
        const decipher = createDecipher(key, parsed)
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}
