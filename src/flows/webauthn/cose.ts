/** Validates the public key of a new passkey: `@simplewebauthn/server` checks the algorithm only. */
import { readHead } from './cbor.ts'

/** Parameters of a COSE key (RFC 9053 §7). */
const KTY = 1
const ALG = 3
const CRV = -1
const X = -2
const Y = -3
const N = -1

/** Bits; RSA keys below are considered broken. */
const MIN_RSA_BYTES = 256

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

function lengthOf(key: CoseKey, name: number): number {
  const value = key.get(name)
  return value instanceof Uint8Array ? value.length : 0
}

/** Bytes of a coordinate by curve (RFC 9053 §7.1): P-256, P-384, P-521, Ed25519, Ed448. */
const COORDINATES: Readonly<Record<number, number>> = { 1: 32, 2: 48, 3: 66, 6: 32, 7: 57 }

/** Whether the key is complete: an OKP or EC2 point of the length of its curve, or RSA with at least 2,048 bits. */
export function isUsableKey(bytes: Uint8Array): boolean {
  const key = readKey(bytes)
  if (!key || typeof key.get(ALG) !== 'number') return false
  const length = COORDINATES[Number(key.get(CRV))]
  const type = key.get(KTY)
  if (type === 3) return lengthOf(key, N) >= MIN_RSA_BYTES && lengthOf(key, X) > 0
  if (type === 1 || type === 2)
    return lengthOf(key, X) === length && (type === 1 || lengthOf(key, Y) === length)
  // Other key types, such as AKP, have parameters that only the package reads.
  return lengthOf(key, N) > 0
}
