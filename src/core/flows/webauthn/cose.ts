/** Validates the public key of a new passkey: `@simplewebauthn/server` checks the algorithm only. */
import { readHead, readMembers } from './cbor.ts'
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

/** A map of integers to integers and byte strings; else `null`. */
function readKey(bytes: Uint8Array): CoseKey | null {
  const members = readMembers(bytes)
  if (!members) return null
  const key = new Map<number, CoseValue>()
  for (const [name, value] of members) {
    const [type = NaN, argument = NaN, start] = readHead(value, 0) ?? []
    if (typeof name !== 'number' || !(type <= 2)) return null
    key.set(name, type === 2 ? value.subarray(start) : type === 1 ? -1 - argument : argument)
  }
  return key
}

function readBytes(key: CoseKey, name: number): Uint8Array {
  const value = key.get(name)
  return value instanceof Uint8Array ? value : new Uint8Array()
}

/** Key type and curve of algorithms (WebAuthn §5.8.5, RFC 9864): without a row, any. */
const ALGORITHMS: readonly (readonly [
  algorithms: readonly number[],
  type: number,
  curve?: number,
])[] = [
  [[-7, -9], 2, 1],
  [[-35, -51], 2, 2],
  [[-36, -52], 2, 3],
  [[-8, -19], 1, 6],
  [[-53], 1, 7],
  [[-257, -258, -259, -37, -38, -39], 3],
]

/** Curves by key type: EC2 (2) and OKP (1). */
const CURVES: Readonly<Record<number, readonly number[]>> = { 1: [6, 7], 2: [1, 2, 3] }

/** A modulus of 2,048 to 8,192 bits and an exponent of at most 64: with the exponent 1, every message has a valid signature. */
function isRSA(key: CoseKey): boolean {
  const [n, e] = [readBytes(key, N), readBytes(key, X)]
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
  const row = ALGORITHMS.find(([algorithms]) => algorithms.includes(algorithm))
  const [, expectedType = type, expectedCurve = curve] = row ?? []
  if (type !== expectedType) return false
  if (type === 3) return isRSA(key)
  const curves = CURVES[type]
  // Other key types, such as AKP, have parameters that only the package reads.
  if (!curves) return readBytes(key, N).length > 0
  if (!curves.includes(curve) || curve !== expectedCurve) return false
  return isOnCurve(curve, readBytes(key, X), type === 2 ? readBytes(key, Y) : undefined)
}
