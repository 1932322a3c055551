/** Reads ownership again after the session was created, because an eviction may have run during the sign-in. */
import type { AdapterUser } from '../adapters/index.ts'
import type { Context } from '../contracts.ts'
import type { AccountEvidence } from '../evidence.ts'
import type { Database } from '../database/database.ts'
import { OAuthAccountNotLinked } from '../errors/sign-in.ts'
import type { Account } from '../types.ts'
import { currentUser } from './current-user.ts'

async function isOwner(
  ctx: Context,
  database: Database,
  { user, account }: { readonly user: AdapterUser; readonly account: Account },
): Promise<boolean> {
  // A case-insensitive collation may return another account by key; the list contains the exact ids.
  if (!(await database.has('listAccounts')))
    return (await database.call(ctx, 'getUserByAccount', account))?.id === user.id
  const { provider, providerAccountId } = account
  const accounts = await database.call(ctx, 'listAccounts', user.id)
  return accounts.some(
    (each) => each.provider === provider && each.providerAccountId === providerAccountId,
  )
}

export async function confirmOwner(
  ctx: Context,
  database: Database,
  { user, account }: { readonly user: AdapterUser; readonly account: Account },
): Promise<void> {
  if (await isOwner(ctx, database, { user, account })) return
  throw new OAuthAccountNotLinked(
    'The account was unlinked, or linked to another user, during the sign-in.',
    {
      provider: account.provider,
    },
  )
}

/**
 * The same for an account that was linked to a new user without a transaction. An eviction in between found no account, so
 * the account is unlinked.
 */
export async function confirmNewLink(
  ctx: Context,
  database: Database,
  { user, account }: { readonly user: AdapterUser; readonly account: Account },
): Promise<void> {
  await confirmOwner(ctx, database, { user, account })
  if (await database.has('transaction')) return
  const owner = await database.call(ctx, 'getUserByAccount', account)
  if (owner?.id === user.id && Boolean(owner.emailVerified) === Boolean(user.emailVerified)) return
  if (await database.has('unlinkAccount')) await database.call(ctx, 'unlinkAccount', account)
  throw new OAuthAccountNotLinked(
    'The e-mail address was verified by its owner during the sign-up.',
    {
      provider: account.provider,
    },
  )
}

/**
 * Unlinks a new account if its session ended, or the address was verified, while it was linked: an eviction that listed
 * the accounts earlier does not find it.
 */
export async function confirmLink(
  ctx: Context,
  database: Database,
  { user, evidence }: { readonly user: AdapterUser; readonly evidence: AccountEvidence },
): Promise<void> {
  const current = await currentUser(ctx, database, null)
  if (current?.user.id === user.id && current.mayLink) return
  if (await database.has('unlinkAccount'))
    await database.call(ctx, 'unlinkAccount', evidence.stored)
  throw new OAuthAccountNotLinked(
    'The session ended, or the e-mail address was verified, while the account was linked.',
    {
      provider: evidence.account.provider,
    },
  )
}
