import type { Awaitable } from '../types.ts'

/** The password of a user, a row of the table `passwords`. */
export interface StoredPassword {
  /** Unique. */
  userId: string
  /** At most 500 characters. */
  hash: string
  /** When the user last changed the password. */
  changed: Date
}

/** Stores passwords. An adapter stores them if it has both methods. */
export interface PasswordStore {
  /** Returns the password of a user; `null` if there is none. */
  getPassword(userId: string): Awaitable<StoredPassword | null>

  /**
   * Stores a password in place of the existing one, or deletes it (`null`), if the stored state is the expected one, and
   * returns whether it was. Comparison and write are atomic: of concurrent calls that expect the same state, and change
   * it, one returns true.
   *
   * @param expected omitted: the state does not matter. `null`: no password. A string: a password with this hash
   */
  setPassword(
    userId: string,
    password: Omit<StoredPassword, 'userId'> | null,
    expected?: string | null,
  ): Awaitable<boolean>
}
