/**
 * The used parts of `node:crypto` and `node:buffer`. They are loaded with `process.getBuiltinModule`, because bundlers
 * and edge runtimes reject the import, and typed here, because the published types must not depend on `@types/node`.
 */

export interface NodeBytes extends Uint8Array {
  toString(encoding?: 'utf8' | 'base64url' | 'hex'): string
}

interface NodeKey {
  readonly type: string
}

interface NodeHash {
  update(data: string | Uint8Array): NodeHash
  digest(): NodeBytes
  digest(encoding: 'hex' | 'base64url'): string
}

interface NodeCipher {
  update(data: Uint8Array): NodeBytes
  /** workerd requires the encoding. */
  update(data: string, encoding: 'utf8'): NodeBytes
  final(): NodeBytes
  setAuthTag(tag: Uint8Array): void
  setAAD(data: Uint8Array): void
}

export interface NodeCrypto {
  createCipheriv(algorithm: string, key: NodeKey, iv: Uint8Array): NodeCipher
  createDecipheriv(algorithm: string, key: NodeKey, iv: Uint8Array): NodeCipher
  createHash(algorithm: string): NodeHash
  createHmac(algorithm: string, key: NodeKey | Uint8Array): NodeHash
  createSecretKey(bytes: Uint8Array): NodeKey
  hkdfSync(
    digest: string,
    ikm: string | Uint8Array,
    salt: string,
    info: string,
    length: number,
  ): ArrayBuffer
  randomBytes(size: number): NodeBytes
  timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean
}

export interface NodeBuffer {
  from(text: string, encoding: 'utf8' | 'base64url' | 'latin1'): NodeBytes
  concat(parts: readonly Uint8Array[]): NodeBytes
}

export interface NodeModules {
  readonly crypto: NodeCrypto
  readonly Buffer: NodeBuffer
}

function has<K extends string>(value: unknown, ...keys: K[]): value is Record<K, unknown> {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    keys.every((key) => key in value)
  )
}

function isCrypto(value: unknown): value is NodeCrypto {
  return has(value, 'createCipheriv', 'createDecipheriv', 'createSecretKey', 'hkdfSync')
}

function isBuffer(value: unknown): value is NodeBuffer {
  return has(value, 'from', 'concat')
}

function builtin(name: string): unknown {
  const process: unknown = Reflect.get(globalThis, 'process')
  if (!has(process, 'getBuiltinModule') || typeof process.getBuiltinModule !== 'function')
    return null
  try {
    return Reflect.apply(process.getBuiltinModule, process, [name])
  } catch {
    // Some edge runtimes have a function that throws.
    return null
  }
}

function load(): NodeModules | null {
  const crypto = builtin('node:crypto')
  const buffer = builtin('node:buffer')
  if (!isCrypto(crypto) || !has(buffer, 'Buffer') || !isBuffer(buffer.Buffer)) return null
  return { crypto, Buffer: buffer.Buffer }
}

/** `null` on a runtime that has only WebCrypto. */
export const node: NodeModules | null = load()
