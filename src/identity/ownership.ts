/** Reads ownership again after the session was created, because an eviction may have run during the sign-in. */
import type { AdapterUser } from '../adapters/index.ts'
import type { Subject } from '../contracts.ts'
import type { DatabaseContext } from './context.ts'
import { OAuthAccountNotLinked } from '../errors/sign-in.ts'
import type { Account } from '../types.ts'

/**
 * Whether the session is older than the verification of the address. Such a session may belong to an attacker who signed up
 * with the address (account pre-hijacking). Sessions in cookies cannot be revoked.
 */
function isStale({ since, wasVerified }: Subject, { emailVerified }: AdapterUser): boolean {
  if (!emailVerified || wasVerified === true) return false
  return wasVerified === false || (since !== null && since <= emailVerified)
}

/**
 * Reads the user of the session, unless it is `owner`, and whether the session may link accounts; `null` without a
 * session, or when the user was deleted.
 */
export async function currentUser(
  ctx: DatabaseContext,
  owner: AdapterUser | null,
): Promise<{ readonly user: AdapterUser; readonly mayLink: boolean } | null> {
  const subject = await ctx.config.session.subject(ctx)
  if (subject === null) return null
  const user = subject.id === owner?.id ? owner : await ctx.query('getUser', subject.id)
  return user && { user, mayLink: !isStale(subject, user) }
}

export interface Ownership {
  readonly user: AdapterUser
  readonly account: Account
}

export async function confirmOwner(
  ctx: DatabaseContext,
  { user, account }: Ownership,
): Promise<void> {
  const { provider, providerAccountId } = account
  // A case-insensitive collation may return another account by key; the list contains the exact ids.
  const isOwner = (await ctx.database.has('listAccounts'))
    ? (await ctx.query('listAccounts', user.id)).some(
        (each) => each.provider === provider && each.providerAccountId === providerAccountId,
      )
    : (await ctx.query('getUserByAccount', account))?.id === user.id
  if (isOwner) return
  throw new OAuthAccountNotLinked(
    'The account was unlinked, or linked to another user, during the sign-in.',
    { provider },
  )
}

/** Unlinks a new account: an eviction that listed the accounts before it was linked did not find it. */
async function unlinkEvicted(
  ctx: DatabaseContext,
  account: Account,
  reason: string,
): Promise<never> {
  if (await ctx.database.has('unlinkAccount')) await ctx.query('unlinkAccount', account)
  throw new OAuthAccountNotLinked(reason, { provider: account.provider })
}

/** Confirms an account that was linked from a session: the session may have ended since. */
export async function confirmLinkFromSession(
  ctx: DatabaseContext,
  { user, account }: Ownership,
): Promise<void> {
  const current = await currentUser(ctx, null)
  const reason =
    'The session ended, or the e-mail address was verified, while the account was linked.'
  if (current?.user.id !== user.id || !current.mayLink) await unlinkEvicted(ctx, account, reason)
  await confirmOwner(ctx, { user, account })
}

/** Confirms an account that was linked to a new user: without a transaction, the address may have been verified before. */
export async function confirmSignUp(
  ctx: DatabaseContext,
  { user, account }: Ownership,
): Promise<void> {
  await confirmOwner(ctx, { user, account })
  if (await ctx.database.has('transaction')) return
  const owner = await ctx.query('getUserByAccount', account)
  if (owner?.id === user.id && Boolean(owner.emailVerified) === Boolean(user.emailVerified)) return
  await unlinkEvicted(
    ctx,
    account,
    'The e-mail address was verified by its owner during the sign-up.',
  )
}
