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
    return (await database.userByAccount(ctx, account))?.id === user.id
  const { provider, providerAccountId } = account
  const accounts = await database.accountsOf(ctx, user.id)
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
  throw new OAuthAccountNotLinked('The account was unlinked during the sign-in.', {
    provider: account.provider,
  })
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
  if (current?.id === user.id) return
  if (await database.has('unlinkAccount')) await database.unlinkAccount(ctx, evidence.stored)
  throw new OAuthAccountNotLinked('The session ended while the account was linked.', {
    provider: evidence.account.provider,
  })
}
