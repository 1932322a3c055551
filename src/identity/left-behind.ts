/** What another attempt has left, or is about to finish: looked for before anybody is refused or anything taken back. */
import type { AdapterAccountKey, AdapterUser } from '../adapters/index.ts'
import type { Context } from '../contracts.ts'
import type { Database } from '../database/database.ts'
import { AdapterError } from '../errors/session.ts'
import type { User } from '../types.ts'

/** What can be found after something failed: where the database fails again, nothing, and the first error counts. */
export async function orNull<T>(search: Promise<T | null>): Promise<T | null> {
  try {
    return await search
  } catch (error) {
    if (error instanceof AdapterError) return null
    throw error
  }
}

async function hasNoAccounts(ctx: Context, database: Database, { id }: AdapterUser) {
  return (await orNull(database.accountsOf(ctx, id)))?.length === 0
}

/** Milliseconds to wait before each look for somebody who is signing up at this moment. */
const PAUSES = [0, 150]

/** Whether there may be a user whose account is about to follow. */
async function isUnderWay(ctx: Context, database: Database, { email }: User): Promise<boolean> {
  if (!email || (await database.has('transaction'))) return false
  const user = await orNull(database.userByEmail(ctx, email))
  if (!user) return false
  return !(await database.has('listAccounts')) || hasNoAccounts(ctx, database, user)
}

/** A sign-up that is under way. */
interface Attempt {
  readonly user: User
  readonly account: AdapterAccountKey
}

/** Who has the account by now: the same person may be signing up in another tab, step by step. */
export async function ownerByNow(
  ctx: Context,
  database: Database,
  { user, account }: Attempt,
): Promise<AdapterUser | null> {
  for (const pause of PAUSES) {
    if (pause > 0) await new Promise((resolve) => void setTimeout(resolve, pause))
    const mayFollow = await isUnderWay(ctx, database, user)
    const owner = await orNull(database.userByAccount(ctx, account))
    if (owner || !mayFollow) return owner
  }
  return null
}
