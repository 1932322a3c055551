/** Rows of users who were not there before. */
import type { AdapterUser } from '../adapters/index.ts'
import type { Context } from '../contracts.ts'
import type { Database } from '../database/database.ts'
import { AdapterError } from '../errors/session.ts'
import type { Untyped, User } from '../types.ts'

/** A user, and whether this sign-up made it. */
export interface SignedUp {
  readonly user: AdapterUser
  readonly isNew: boolean
}

/** The row of a new user. */
export function newUser(user: User, emailVerified: Date | null): AdapterUser {
  // The contract promises an address, and not every provider tells one.
  const email: Untyped = user.email
  return { ...user, id: crypto.randomUUID(), email, emailVerified }
}

/** Who has the address now: a new user, or one that was made in the meantime. */
export async function createByAddress(
  ctx: Context,
  database: Database,
  row: AdapterUser,
): Promise<SignedUp> {
  try {
    return { user: await database.createUser(ctx, row), isNew: true }
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    // The same person was faster with another attempt; or the answer of the database got lost.
    const found = await database.userByEmail(ctx, row.email)
    if (!found) throw error
    return { user: found, isNew: false }
  }
}
