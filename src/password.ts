/** Hashes passwords on Node.js, Bun and Deno: scrypt with 32 MiB, at most four at a time. */
import type { CredentialsConfig } from './core/config/credentials.ts'
import type { PasswordOptions } from './core/config/password-options.ts'
import { passwordsWith } from './core/password/password-provider.ts'
import * as core from './core/password/hash-password.ts'
import { passwordSupport } from './core/symbols.ts'

export type { CredentialsConfig } from './core/config/credentials.ts'
export type {
  PasswordHasher,
  PasswordOptions,
  PasswordOwner,
  VerifyLegacyPassword,
} from './core/config/password-options.ts'

/** The fields of the form of `Password`. */
export type PasswordFields = Record<'email' | 'password', object>

/**
 * A provider of type `credentials` that stores passwords in the table `passwords` of the adapter: sign-in with an e-mail
 * address and a password, on the built-in page or with `signIn`.
 *
 * On Node.js, Bun and Deno. On an edge runtime, sign-ins fail with `InvalidConfiguration` unless `hasher` is set.
 *
 * @throws InvalidConfiguration with the first request, if an option is not valid
 * @example
 * ```ts
 * import MemoryAdapter from 'lib-auth/adapters/memory'
 * import Lib from 'lib-auth/next'
 * import { Password } from 'lib-auth/password'
 *
 * export const { handlers, auth } = Lib({ adapter: MemoryAdapter(), providers: [Password()] })
 * ```
 */
export function Password(options: PasswordOptions = {}): CredentialsConfig<PasswordFields> {
  const { id = 'password', name = 'Password' } = options
  return {
    id,
    name,
    type: 'credentials',
    credentials: {
      email: { type: 'email', autoComplete: 'username', required: true, maxLength: 254 },
      password: { type: 'password', autoComplete: 'current-password', required: true },
    },
    [passwordSupport]: passwordsWith(options),
  }
}

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
