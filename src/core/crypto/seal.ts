import { chain, firstResult } from '../async/awaitable.ts'
import { setBounded } from '../async/cache.ts'
import { parseJsonObject } from '../is-record.ts'
import type { Awaitable } from '../types.ts'
import { createKey, decrypt as decryptWith, encrypt } from './cipher.ts'
import type { CipherKey, CipherRuntime, EncryptionRuntime } from './cipher.ts'
import { nodeEncryption, nodeRuntime } from './node-runtime.ts'
import { node } from './node.ts'
import { webEncryption, webRuntime } from './web-runtime.ts'

const runtime: CipherRuntime = node ? nodeRuntime(node) : webRuntime

/** Session tokens, other sealed values of this library, and migrated session tokens. */
export type KeyFamily = 'own' | 'internal' | 'next-auth'

/** Prefixes of the HKDF info (RFC 5869 §2.3): a salt that the application chooses may equal an internal one. */
const INFO: Readonly<Record<KeyFamily, string>> = {
  own: 'Lib Generated Encryption Key',
  internal: 'Lib Internal Encryption Key',
  'next-auth': 'Auth.js Generated Encryption Key',
}

type KeysBySecret = Map<string, Map<string, Awaitable<CipherKey>>>

/** Cache, because a key derivation costs as much as ten decryptions. */
const cache: Readonly<Record<KeyFamily, KeysBySecret>> = {
  own: new Map(),
  internal: new Map(),
  'next-auth': new Map(),
}
const MAX_SECRETS = 100
const MAX_SALTS = 100

export function keyFor(
  secret: string,
  salt: string,
  family: KeyFamily = 'own',
): Awaitable<CipherKey> {
  const keys = cache[family]
  const bySalt = keys.get(secret) ?? setBounded(keys, [secret, new Map()], MAX_SECRETS)
  const known = bySalt.get(salt)
  if (known) return known
  const info = `${INFO[family]} (${salt})`
  const derived = chain(runtime.derive({ secret, salt, info }), (bytes) =>
    createKey(runtime, bytes),
  )
  return setBounded(bySalt, [salt, derived], MAX_SALTS)
}

/** Tolerated clock skew, in seconds. */
const CLOCK_TOLERANCE = 15

export interface Sealing {
  /** Newest first: the first one encrypts, each one decrypts. */
  readonly secrets: readonly string[]
  /** Purpose of the value: a value that was sealed for one purpose cannot be opened for another. */
  readonly salt: string
  /** @default 'own' */
  readonly family?: KeyFamily | undefined
}

/** Claims of a sealed value (RFC 7519 §4), not validated beyond `exp` and `nbf`. */
export type Claims = Readonly<Record<string, unknown>>

export function epochSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Whether a token is within `nbf` and `exp`, with a tolerance for clock skew. */
export function isCurrent({ exp, nbf }: { exp?: unknown; nbf?: unknown }): boolean {
  const now = epochSeconds()
  if (exp !== undefined && !(typeof exp === 'number' && now < exp + CLOCK_TOLERANCE)) return false
  return nbf === undefined || (typeof nbf === 'number' && now >= nbf - CLOCK_TOLERANCE)
}

export function encryptText(key: CipherKey, text: string): Awaitable<string> {
  const encryption: EncryptionRuntime = node ? nodeEncryption(node) : webEncryption
  return encrypt({ ...runtime, ...encryption }, key, text)
}

/** Encrypts claims as a compact JWE under the first secret; sets `iat`, `jti`, and with `maxAge` in seconds `exp`. */
export function seal(
  claims: Readonly<Record<string, unknown>>,
  { secrets, salt, family, maxAge }: Sealing & { readonly maxAge?: number },
): Awaitable<string> {
  const [secret = ''] = secrets
  const iat = epochSeconds()
  // `Object.assign`, because V8 takes microseconds to add properties after a spread.
  const own = { iat, exp: maxAge && iat + maxAge, jti: crypto.randomUUID() }
  const text = JSON.stringify(Object.assign({}, claims, own))
  return chain(keyFor(secret, salt, family), (key) => encryptText(key, text))
}

export function currentClaims(text: string): Claims | null {
  const claims = parseJsonObject(text)
  return claims && isCurrent(claims) ? claims : null
}

/** Decrypts a token, which may have expired; `null` if no secret decrypts it. */
export function decrypt(
  token: string,
  { secrets, salt, family }: Sealing,
): Awaitable<string | null> {
  // Only `next-auth` and `@auth/core` may have encrypted with GCM.
  const accepted = family === 'next-auth' ? 'any' : 'A256CBC-HS512'
  return firstResult(secrets, (secret) =>
    chain(keyFor(secret, salt, family), (key) => decryptWith(runtime, { key, token, accepted })),
  )
}

/** Decrypts a token; `null` if no secret decrypts it or it has expired. */
export function open(token: string, opening: Sealing): Awaitable<Claims | null> {
  return chain(decrypt(token, opening), (text) => (text === null ? null : currentClaims(text)))
}
