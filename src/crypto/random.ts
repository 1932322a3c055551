import { toBase64Url, toHex } from './encoding.ts'

/** Bytes: 256 random bits. */
const SIZE = 32

function randomBytes(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(SIZE))
}

/** 43 characters, for state, nonce and code verifier (RFC 7636 §4.1). */
export function randomBase64Url(): string {
  return toBase64Url(randomBytes())
}

/** 64 hexadecimal digits, for session tokens and magic links. */
export function randomHex(): string {
  return toHex(randomBytes())
}
