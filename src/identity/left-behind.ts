/** Detects interrupted and concurrent sign-ups before a sign-in is rejected or a user is deleted. */
import type { AdapterAccountKey, AdapterUser } from '../adapters/index.ts'
import type { Context } from '../contracts.ts'
import type { Database } from '../database/database.ts'
import { AdapterError } from '../errors/session.ts'
import type { User } from '../types.ts'

/** Returns `null` if the lookup fails, so that the caller reports its original error. */
export async function orNull<T>(search: Promise<T | null>): Promise<T | null> {
  try {
    return await search
  } catch (error) {
    if (error instanceof AdapterError) return null
    throw error
  }
}

async function hasNoAccounts(ctx: Context, database: Database, { id }: AdapterUser) {
  return (await orNull(database.call(ctx, 'listAccounts', id)))?.length === 0
}

/** Milliseconds to wait before each lookup, for a concurrent sign-up to link its account. */
const PAUSES = [0, 150]

/** Whether a user exists whose account may not be linked yet. */
async function isUnderWay(ctx: Context, database: Database, { email }: User): Promise<boolean> {
  if (!email || (await database.has('transaction'))) return false
  const user = await orNull(database.call(ctx, 'getUserByEmail', email))
  if (!user) return false
  return !(await database.has('listAccounts')) || hasNoAccounts(ctx, database, user)
}

interface Attempt {
  readonly user: User
  readonly account: AdapterAccountKey
}

/** Finds the owner after a conflict: a concurrent sign-up may have created the user before linking the account. */
export async function ownerByNow(
  ctx: Context,
  database: Database,
  { user, account }: Attempt,
): Promise<AdapterUser | null> {
  for (const pause of PAUSES) {
    if (pause > 0) await new Promise((resolve) => void setTimeout(resolve, pause))
    const mayFollow = await isUnderWay(ctx, database, user)
    const owner = await orNull(database.call(ctx, 'getUserByAccount', account))
    if (owner || !mayFollow) return owner
  }
  return null
}
