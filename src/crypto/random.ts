import { toBase64Url, toHex } from './encoding.ts'

/** 256 random bits: as unguessable as anything here needs to be. */
const SIZE = 32

function randomBytes(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(SIZE))
}

/** A random value of 43 characters, for state, nonce and code verifier (RFC 7636 §4.1). */
export function randomBase64Url(): string {
  return toBase64Url(randomBytes())
}

/** A random value of 64 hexadecimal digits, for session tokens and links. */
export function randomHex(): string {
  return toHex(randomBytes())
}
