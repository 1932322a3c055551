/** Whether a public key is a point of its curve: a signature of any other key can never be verified, or by anyone forged. */

import { toHex } from '../../crypto/digest.ts'

/** Of the COSE curve (RFC 9053 §7.1). `false` for a curve that is not known. */
type IsPoint = (x: Uint8Array, y: Uint8Array | undefined) => boolean

export function toInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x0${toHex(bytes)}`)
}

function power(base: bigint, exponent: bigint, p: bigint): bigint {
  let result = 1n
  let square = base
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % p
    square = (square * square) % p
  }
  return result
}

/** An uncompressed point with y² = x³ - 3x + b (SP 800-186 §3.2.1). */
function weierstrass(size: number, p: bigint, b: bigint): IsPoint {
  return (xBytes, yBytes) => {
    if (xBytes.length !== size || yBytes?.length !== size) return false
    const [x, y] = [toInteger(xBytes), toInteger(yBytes)]
    return x < p && y < p && (y * y - x * x * x + 3n * x - b) % p === 0n
  }
}

interface Edwards {
  readonly size: number
  readonly p: bigint
  /** Of ax² + y² = 1 + dx²y². */
  readonly a: bigint
  readonly d: bigint
}

/** A compressed point (RFC 8032 §5.1.3, §5.2.3) whose order is not small: any message has a valid signature of those. */
function edwards({ size, p, a, d }: Edwards): IsPoint {
  return (bytes) => {
    if (bytes.length !== size) return false
    const sign = 1n << BigInt(size * 8 - 1)
    const y = toInteger(bytes.toReversed()) & (sign - 1n)
    if (y >= p) return false
    const yy = (y * y) % p
    const numerator = (1n - yy) % p
    const denominator = (a - d * yy) % p
    const product = (((numerator * denominator) % p) + p) % p
    // Order 1, 2 and 4; then 8, whose double has y = 0.
    const isSmall = yy <= 1n || (d * yy * yy + a * (1n - 2n * yy)) % p === 0n
    return !isSmall && power(product, (p - 1n) / 2n, p) === 1n
  }
}

const P25519 = 2n ** 255n - 19n

/** P-256, P-384, P-521; Ed25519, Ed448. */
const CURVES: Readonly<Record<number, IsPoint>> = {
  1: weierstrass(
    32,
    2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  ),
  2: weierstrass(
    48,
    2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
  ),
  3: weierstrass(
    66,
    2n ** 521n - 1n,
    0x51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
  ),
  6: edwards({
    size: 32,
    p: P25519,
    a: -1n,
    d: (-121665n * power(121666n, P25519 - 2n, P25519)) % P25519,
  }),
  7: edwards({ size: 57, p: 2n ** 448n - 2n ** 224n - 1n, a: 1n, d: -39081n }),
}

export function isOnCurve(curve: number, x: Uint8Array, y?: Uint8Array): boolean {
  return CURVES[curve]?.(x, y) ?? false
}
