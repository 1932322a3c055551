import type { AdapterUser } from '../adapters/index.ts'
import type { Context, Subject } from '../contracts.ts'
import type { Database } from '../database/database.ts'

/** The user of the session in this browser. */
export interface CurrentUser {
  readonly user: AdapterUser
  /** Whether the session may link accounts. */
  readonly mayLink: boolean
}

/**
 * Whether the session is older than the verification of the address. Such a session may belong to an attacker who signed up
 * with the address (account pre-hijacking). Sessions in cookies cannot be revoked.
 */
function isStale({ since, wasVerified }: Subject, { emailVerified }: AdapterUser): boolean {
  if (!emailVerified || wasVerified === true) return false
  return wasVerified === false || (since !== null && since <= emailVerified)
}

/** The user who is signed in to this browser; `null` without a session, or when the user was deleted. */
export async function currentUser(
  ctx: Context,
  database: Database,
  owner: AdapterUser | null,
): Promise<CurrentUser | null> {
  const subject = await ctx.config.session.subject(ctx)
  if (subject === null) return null
  const user = subject.id === owner?.id ? owner : await database.call(ctx, 'getUser', subject.id)
  return user && { user, mayLink: !isStale(subject, user) }
}
