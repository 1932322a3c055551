import type { Awaitable } from '../types.ts'

/** Hashes passwords in place of scrypt. */
export interface PasswordHasher {
  /** Returns a text of at most 500 characters, with a random salt. */
  hash(password: string): Awaitable<string>
  /** Returns whether the password is that of the hash. */
  verify(password: string, hash: string): Awaitable<boolean>
  /** Whether the hash is replaced at the next sign-in. @default never */
  needsRehash?(hash: string): Awaitable<boolean>
}

/**
 * Returns whether a password is that of a hash from another system; `false` or an error for a hash in another format. It
 * receives the password as it was typed.
 */
export type VerifyLegacyPassword = (password: string, hash: string) => Awaitable<boolean>

/** The user who chooses a password. */
export interface PasswordOwner {
  readonly email: string
  /** `null` if it is unknown. */
  readonly name: string | null
}

/** Options of `Password`. */
export interface PasswordOptions {
  /** @default 'password' */
  id?: string | undefined
  /** On the sign-in page, next to other methods. @default 'Password' */
  name?: string | undefined
  /** Characters that a new password has at least, from 8 to 64. @default 12 */
  minLength?: number | undefined
  /**
   * Rejects a new password with a code of 1 to 32 letters, digits and `_`, which the page receives; `null` accepts it. For
   * lists of passwords that have leaked. `theme.messages['code.<code>']` is its text. @default accepts all
   */
  check?: ((password: string, user: PasswordOwner) => Awaitable<string | null>) | undefined
  /** `false`: accepts passwords that are on the list of common ones. @default true */
  commonPasswords?: boolean | undefined
  /** Replaces scrypt. Put the function that reads existing hashes into `legacy`. */
  hasher?: PasswordHasher | undefined
  /** Read the hashes of other systems, in this order. Each hash is replaced when its user signs in. @default [] */
  legacy?: readonly VerifyLegacyPassword[] | undefined
  /** Whether visitors can sign up with an address and a password. @default true */
  signUp?: boolean | undefined
}

/** With the defaults. */
export interface PasswordSettings {
  readonly id: string
  readonly minLength: number
  readonly check: NonNullable<PasswordOptions['check']> | null
  readonly rejectsCommon: boolean
  readonly hasSignUp: boolean
  readonly hasher: PasswordHasher | null
  readonly legacy: readonly VerifyLegacyPassword[]
}
