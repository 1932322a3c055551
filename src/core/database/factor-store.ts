import type { Awaitable } from '../types.ts'

/** A second factor of a user, a row of the table `factors`. */
export interface StoredFactor {
  /** Unique; at most 191 characters. */
  id: string
  userId: string
  /** One row for each authenticator app, and for each recovery code. */
  type: 'totp' | 'recovery'
  /** The encrypted key of an authenticator app, or the hash of a recovery code; at most 1,000 characters. */
  secret: string
  /** Chosen by the user. */
  name: string | null
  /** The last time step whose code was accepted (RFC 6238 §5.2); `null` if there was none. */
  lastStep: number | null
  /** Whether a code was accepted, so that the factor is required at a sign-in. */
  confirmed: boolean
  created: Date
}

/** A time step of a factor. */
export interface FactorUse {
  readonly id: string
  readonly step: number
}

/** Stores second factors. An adapter stores them if it has all four methods. */
export interface FactorStore {
  /** Returns all factors of a user, in any order, confirmed or not; an empty array for an unknown user. */
  listFactors(userId: string): Awaitable<StoredFactor[]>

  /** Stores a factor. Throws if the `id` already exists. */
  createFactor(factor: StoredFactor): Awaitable<StoredFactor | null | undefined | void>

  /**
   * Sets `lastStep` to `step`, and `confirmed` to true, if `lastStep` is `null` or lower; returns whether it did, and
   * `false` for an unknown id. Comparison and write are atomic: of concurrent calls with one step, one returns true, so
   * that a code is accepted once.
   */
  useFactor(use: FactorUse): Awaitable<boolean>

  /**
   * Deletes a factor and returns the row; `null` if it does not exist. Of concurrent calls exactly one gets the row, so
   * that a recovery code is accepted once.
   */
  deleteFactor(id: string): Awaitable<StoredFactor | null>
}
