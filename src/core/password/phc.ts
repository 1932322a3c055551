/** Hashes of passwords as PHC strings: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`, in base64 without padding. */
import { fromBase64Url, toBase64Url } from '../crypto/digest.ts'

/** Costs of scrypt (RFC 7914 §2); `ln` is the binary logarithm of N. */
export interface Costs {
  readonly ln: number
  readonly r: number
  readonly p: number
}

export interface PasswordHash extends Costs {
  readonly salt: Uint8Array
  readonly hash: Uint8Array
}

const FORMAT =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z\d+/]{4,86})\$([A-Za-z\d+/]{22,86})$/

/** Bytes. An attacker who can write a hash must not exhaust the memory of the process. */
const MAX_MEMORY = 129 * 1024 * 1024
const MAX_PARALLEL = 16

export function memoryOf({ ln, r, p }: Costs): number {
  return 128 * r * (2 ** ln + p + 2)
}

function fromBase64(text: string): Uint8Array | null {
  return fromBase64Url(text.replaceAll('+', '-').replaceAll('/', '_'))
}

function toBase64(bytes: Uint8Array): string {
  return toBase64Url(bytes).replaceAll('-', '+').replaceAll('_', '/')
}

/** `null` if it has another format, or is too expensive to verify. */
export function parseHash(text: string): PasswordHash | null {
  const [, ...parts] = FORMAT.exec(text) ?? []
  const [ln = 0, r = 0, p = 0] = parts.slice(0, 3).map(Number)
  const [salt, hash] = parts.slice(3).map(fromBase64)
  if (!salt || !hash || ln < 1 || r < 1 || p < 1) return null
  const costs = { ln, r, p }
  return memoryOf(costs) > MAX_MEMORY || p > MAX_PARALLEL ? null : { ...costs, salt, hash }
}

export function serializeHash({ ln, r, p, salt, hash }: PasswordHash): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${toBase64(salt)}$${toBase64(hash)}`
}
