import type { AdapterUser } from '../adapters/index.ts'
import type { Context } from '../contracts.ts'
import type { Database } from '../database/database.ts'
import { AdapterError } from '../errors/session.ts'
import type { Untyped, User } from '../types.ts'

export interface SignedUp {
  readonly user: AdapterUser
  readonly isNew: boolean
}

export function newUser(user: User, emailVerified: Date | null): AdapterUser {
  // `AdapterUser` requires an address, but not every provider returns one.
  const email: Untyped = user.email
  return { ...user, id: crypto.randomUUID(), email, emailVerified }
}

/** Creates a user, or returns the user whom a concurrent sign-up created with the same address. */
export async function createByAddress(
  ctx: Context,
  database: Database,
  row: AdapterUser,
): Promise<SignedUp> {
  try {
    return { user: await database.call(ctx, 'createUser', row), isNew: true }
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    // A concurrent sign-up, or a committed insert whose response was lost.
    const found = await database.call(ctx, 'getUserByEmail', row.email)
    if (!found) throw error
    return { user: found, isNew: false }
  }
}
