import type { AdapterUser } from '../adapters/index.ts'
import type { Context } from '../contracts.ts'
import type { Database } from '../database/database.ts'

/** Milliseconds. Timestamps in tokens are in whole seconds. */
const SECOND = 1000

/** Ignores a JWT session from before the address was verified: it cannot be revoked and may belong to an attacker. */
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
