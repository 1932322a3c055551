/** Hashes passwords with scrypt (RFC 7914), off the main thread. */
import { equalBytes } from '../crypto/digest.ts'
import { node } from '../crypto/node.ts'
import { InvalidConfiguration, InvalidRequest } from '../errors/classes.ts'
import { inTurn } from './hash-queue.ts'
import { memoryOf, parseHash, serializeHash } from './phc.ts'
import type { Costs } from './phc.ts'

/** As OWASP recommends for scrypt: 32 MiB. */
const COSTS: Costs = { ln: 15, r: 8, p: 3 }
const SALT_BYTES = 16
const HASH_BYTES = 32
const MAX_BYTES = 4096

/** For an unknown user, so that the response takes as long as for a known one. */
const PLACEHOLDER = `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * `null` if no user can have it: empty, too long, or with what would equal other passwords: a lone surrogate, or a NUL
 * at the end, with which HMAC fills up a short key (RFC 2104 §2).
 */
export function normalizePassword(password: unknown): string | null {
  if (typeof password !== 'string' || password === '') return null
  // Before it is normalized, which takes time and can make it longer.
  if (password.length > MAX_BYTES || /\p{Surrogate}|\0$/u.test(password)) return null
  const normal = password.normalize('NFKC')
  return new TextEncoder().encode(normal).length > MAX_BYTES ? null : normal
}

function derive(password: string, salt: Uint8Array, costs: Costs, length: number) {
  const { scrypt } = node?.crypto ?? {}
  if (!scrypt)
    throw new InvalidConfiguration(
      "lib-auth/password runs on Node.js, Bun and Deno. Check passwords in a route that runs there: in Next.js, remove runtime = 'edge'.",
    )
  const { ln, r, p } = costs
  const options = { N: 2 ** ln, r, p, maxmem: memoryOf(costs) + 1 }
  return inTurn(
    () =>
      new Promise<Uint8Array>((resolve, reject) =>
        scrypt(password, salt, length, options, (error, hash) =>
          error ? reject(error) : resolve(hash),
        ),
      ),
  )
}

/** @throws InvalidRequest, TemporarilyUnavailable */
export async function hashPassword(password: string): Promise<string> {
  const normal = normalizePassword(password)
  if (normal === null)
    throw new InvalidRequest(
      `The password is not a text of 1 to ${MAX_BYTES} bytes without lone surrogates, and without a NUL at the end.`,
    )
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  const hash = await derive(normal, salt, COSTS, HASH_BYTES)
  return serializeHash({ ...COSTS, salt, hash })
}

/** @throws InvalidConfiguration, TemporarilyUnavailable */
export async function verifyPassword(
  password: unknown,
  stored: string | null | undefined,
): Promise<boolean> {
  const normal = normalizePassword(password)
  if (normal === null) return false
  const parsed = parseHash(stored ?? PLACEHOLDER)
  if (!parsed)
    throw new InvalidConfiguration(
      'The stored hash is not one of hashPassword of lib-auth/password, or its costs are too high. Check hashes of other systems with the function that has created them.',
    )
  const { hash, salt } = parsed
  const isEqual = equalBytes(await derive(normal, salt, parsed, hash.length), hash)
  return isEqual && typeof stored === 'string'
}

/** Whether it is a hash of this library that is not too expensive to verify. */
export function canVerify(stored: string): boolean {
  return parseHash(stored) !== null
}

export function needsRehash(stored: string): boolean {
  const parsed = parseHash(stored)
  if (!parsed) return true
  const { ln, r, p } = COSTS
  return parsed.ln !== ln || parsed.r !== r || parsed.p !== p || parsed.hash.length !== HASH_BYTES
}
