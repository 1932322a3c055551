/** Validates the public key of a new passkey: `@simplewebauthn/server` checks the algorithm only. */
import { readHead } from './cbor.ts'
import { isOnCurve, toInteger } from './curve.ts'

/** Parameters of a COSE key (RFC 9053 §7). */
const KTY = 1
const ALG = 3
const CRV = -1
const X = -2
const Y = -3
const N = -1

/** RSA keys below are considered broken. */
const MIN_RSA_BITS = 2048
const MAX_RSA_BYTES = 1024
const MAX_EXPONENT_BYTES = 8

type CoseValue = number | Uint8Array
type CoseKey = ReadonlyMap<number, CoseValue>

/** Reads an integer or a byte string. */
function readValue(
  bytes: Uint8Array,
  at: number,
): readonly [value: CoseValue, next: number] | null {
  const head = readHead(bytes, at)
  if (!head) return null
  const [type, value, next] = head
  if (type === 0) return [value, next]
  if (type === 1) return [-1 - value, next]
  const content = bytes.subarray(next, next + value)
  return type === 2 && content.length === value ? [content, next + value] : null
}

/** A map of integers and byte strings, without duplicate keys and without trailing bytes; else `null`. */
function readKey(bytes: Uint8Array): CoseKey | null {
  const head = readHead(bytes, 0)
  if (head?.[0] !== 5) return null
  const key = new Map<number, CoseValue>()
  let at = head[2]
  for (let left = head[1]; left > 0; left--) {
    const name = readValue(bytes, at)
    const value = name && readValue(bytes, name[1])
    if (!value || typeof name[0] !== 'number' || key.has(name[0])) return null
    key.set(name[0], value[0])
    at = value[1]
  }
  return at === bytes.length ? key : null
}

function bytesOf(key: CoseKey, name: number): Uint8Array {
  const value = key.get(name)
  return value instanceof Uint8Array ? value : new Uint8Array()
}

/** Key type and curve by algorithm (WebAuthn §5.8.5, RFC 9864): without a row, any. */
const ALGORITHMS: Readonly<Record<number, readonly [type: number, curve?: number]>> = {
  [-7]: [2, 1],
  [-9]: [2, 1],
  [-35]: [2, 2],
  [-51]: [2, 2],
  [-36]: [2, 3],
  [-52]: [2, 3],
  [-8]: [1, 6],
  [-19]: [1, 6],
  [-53]: [1, 7],
  [-257]: [3],
  [-258]: [3],
  [-259]: [3],
  [-37]: [3],
  [-38]: [3],
  [-39]: [3],
}

/** Curves by key type: EC2 (2) and OKP (1). */
const CURVES_OF: Readonly<Record<number, readonly number[]>> = { 1: [6, 7], 2: [1, 2, 3] }

/** A modulus of 2,048 to 8,192 bits and an exponent of at most 64: with the exponent 1, every message has a valid signature. */
function isRSA(key: CoseKey): boolean {
  const [n, e] = [bytesOf(key, N), bytesOf(key, X)]
  if (n.length > MAX_RSA_BYTES || e.length > MAX_EXPONENT_BYTES) return false
  const [modulus, exponent] = [toInteger(n), toInteger(e)]
  const isLong = modulus >> BigInt(MIN_RSA_BITS - 1) > 0n
  return isLong && (modulus & 1n) === 1n && exponent > 1n && (exponent & 1n) === 1n
}

/** Whether the key is a point of the curve of its algorithm, or RSA that is not weak. */
export function isUsableKey(bytes: Uint8Array): boolean {
  const key = readKey(bytes)
  const algorithm = key?.get(ALG)
  if (!key || typeof algorithm !== 'number') return false
  const [type, curve] = [Number(key.get(KTY)), Number(key.get(CRV))]
  const [ofAlgorithm = type, curveOfAlgorithm] = ALGORITHMS[algorithm] ?? []
  if (type !== ofAlgorithm) return false
  if (type === 3) return isRSA(key)
  const curves = CURVES_OF[type]
  // Other key types, such as AKP, have parameters that only the package reads.
  if (!curves) return bytesOf(key, N).length > 0
  if (!curves.includes(curve) || curve !== (curveOfAlgorithm ?? curve)) return false
  return isOnCurve(curve, bytesOf(key, X), type === 2 ? bytesOf(key, Y) : undefined)
}
