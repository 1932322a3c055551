import type { AdapterUser } from '../adapters/index.ts'
import type { DatabaseContext } from './context.ts'
import { AdapterError } from '../errors/session.ts'
import type { Untyped, User } from '../types.ts'

export function newUser(user: User, emailVerified: Date | null): AdapterUser {
  // `AdapterUser` requires an address, but not every provider returns one.
  const email: Untyped = user.email
  return { ...user, id: crypto.randomUUID(), email, emailVerified }
}

/**
 * After a failed insert, reads the row that a concurrent request inserted, or that was committed although the response
 * was lost. Throws the original error if there is no such row.
 */
export async function insertOrRead<T>(
  insert: Promise<T>,
  read: () => Promise<T | null>,
): Promise<T> {
  try {
    return await insert
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    const row = await nullOnError(read())
    if (row === null) throw error
    return row
  }
}

/** For lookups after an error: if they fail too, the caller reports the original error. */
export async function nullOnError<T>(lookup: Promise<T | null>): Promise<T | null> {
  try {
    return await lookup
  } catch (error) {
    if (error instanceof AdapterError) return null
    throw error
  }
}

export interface SignedUp {
  /** An existing user if a concurrent sign-up was faster. */
  readonly user: AdapterUser
  readonly isNew: boolean
}

/** Creates a user, or returns the user whom a concurrent sign-up created with the same address. */
export async function createUserByEmail(ctx: DatabaseContext, row: AdapterUser): Promise<SignedUp> {
  let isNew = true
  const user = await insertOrRead(ctx.query('createUser', row), () => {
    isNew = false
    return ctx.query('getUserByEmail', row.email)
  })
  return { user, isNew }
}
