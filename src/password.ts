/** Hashes passwords on Node.js, Bun and Deno: scrypt with 32 MiB, at most four at a time. */
import * as core from './core/password/hash-password.ts'

/**
 * Hashes a password: a text to store. Different spellings of the same characters are equal (NFKC).
 *
 * @throws InvalidRequest if the password is empty, has more than 4096 bytes, or a lone surrogate
 * @throws TemporarilyUnavailable if 32 passwords of the process wait already; the response has the status 503
 * @throws InvalidConfiguration on an edge runtime
 * @example
 * ```ts
 * import { hashPassword } from 'lib-auth/password'
 *
 * export async function setPassword(users: Map<string, string>, id: string, password: string): Promise<void> {
 *   users.set(id, await hashPassword(password))
 * }
 * ```
 */
export function hashPassword(password: string): Promise<string> {
  return core.hashPassword(password)
}

/**
 * Returns whether a password is that of a stored hash. Without a hash, as for an unknown user, it takes as long and returns
 * `false`, so that the time does not tell who has an account.
 *
 * @param password - as received; a value that is not a text is `false`
 * @param stored - of {@link hashPassword}
 * @throws InvalidConfiguration if the hash has another format, and on an edge runtime
 * @throws TemporarilyUnavailable if 32 passwords of the process wait already; the response has the status 503
 * @example
 * ```ts
 * import Credentials from 'lib-auth/providers/credentials'
 * import { hashPassword, needsRehash, verifyPassword } from 'lib-auth/password'
 *
 * declare const users: Map<string, { id: string; hash: string }>
 *
 * export const provider = Credentials({
 *   credentials: { email: { type: 'email' }, password: { type: 'password' } },
 *   async authorize({ email, password }) {
 *     const user = users.get(String(email))
 *     if (!(await verifyPassword(password, user?.hash)) || !user) return null
 *     if (needsRehash(user.hash)) user.hash = await hashPassword(String(password))
 *     return { id: user.id }
 *   },
 * })
 * ```
 */
export function verifyPassword(
  password: unknown,
  stored: string | null | undefined,
): Promise<boolean> {
  return core.verifyPassword(password, stored)
}

/** Whether a stored hash should be replaced when its user signs in next: it has other costs, or another format. */
export function needsRehash(stored: string): boolean {
  return core.needsRehash(stored)
}
