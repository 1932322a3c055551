import type { AdapterUser } from '../adapters/index.ts'
import type { Context } from '../contracts.ts'
import type { Database } from '../database/database.ts'

/** Tokens count in seconds. */
const SECOND = 1000

/**
 * Who is signed in now, as long as they are in the database. A session from before the address was verified may be that
 * of somebody who waited for its owner to come: where it could not be ended, it links nothing.
 */
export async function currentUser(
  ctx: Context,
  database: Database,
  owner: AdapterUser | null,
): Promise<AdapterUser | null> {
  const subject = await ctx.config.session.subject(ctx)
  if (subject === null) return null
  const user = subject.id === owner?.id ? owner : await database.user(ctx, subject.id)
  const verified = user?.emailVerified?.getTime() ?? 0
  const isOlder = subject.since !== null && subject.since.getTime() + SECOND < verified
  return isOlder ? null : user
}
