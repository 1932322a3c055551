/** Somebody follows a link that was sent to an e-mail address. */
import type { AdapterUser } from '../adapters/index.ts'
import type { AddressEvidence, Admission, Context, Recognition } from '../contracts.ts'
import type { Database } from '../database/database.ts'
import { AdapterError } from '../errors/session.ts'
import { newUser } from './sign-up.ts'

/** Who has the address, if somebody has. */
export async function recognizeAddress(
  ctx: Context,
  database: Database,
  { user, account, address }: AddressEvidence,
): Promise<Recognition> {
  const known = await database.userByEmail(ctx, address)
  return { known, user: known ?? user, account: known ? { ...account, userId: known.id } : account }
}

/**
 * Whoever signed up with this address before has never shown that they read it: they may have waited for its
 * owner to come. What they left to sign in with is taken away.
 */
async function evict(ctx: Context, database: Database, user: AdapterUser): Promise<void> {
  const canEvict = database.has('listAccounts') && database.has('unlinkAccount')
  if (!canEvict) {
    ctx.config.log.warnOnce(
      'eviction-unavailable',
      'An address was verified for the first time. The adapter lacks listAccounts or unlinkAccount, so accounts that were linked before stay.',
    )
    return
  }
  for (const account of await database.accountsOf(ctx, user.id))
    await database.unlinkAccount(ctx, account)
  if (database.has('deleteUserSessions')) await database.deleteSessionsOf(ctx, user.id)
}

async function create(
  ctx: Context,
  database: Database,
  { user, address }: AddressEvidence,
): Promise<{ readonly user: AdapterUser; readonly isNew: boolean }> {
  try {
    const row = newUser({ ...user, email: address }, new Date())
    return { user: await database.createUser(ctx, row), isNew: true }
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    // The same person was faster with another link; or the answer of the database got lost.
    const found = await database.userByEmail(ctx, address)
    if (!found) throw error
    return { user: found, isNew: false }
  }
}

/** Lets in whoever reads what is sent to the address. */
export async function admitAddress(
  ctx: Context,
  database: Database,
  { evidence, known }: { readonly evidence: AddressEvidence; readonly known: AdapterUser | null },
): Promise<Admission> {
  const { user: created, isNew } = known
    ? { user: known, isNew: false }
    : await create(ctx, database, evidence)
  if (!isNew && !created.emailVerified) await evict(ctx, database, created)
  const user = isNew
    ? created
    : await database.updateUser(ctx, { id: created.id, emailVerified: new Date() })
  if (database.has('deleteVerificationTokens')) await database.deleteTokensOf(ctx, evidence.address)
  const account = { ...evidence.account, userId: user.id }
  return {
    user,
    account,
    isNewUser: isNew,
    news: [{ event: isNew ? 'createUser' : 'updateUser', user }],
  }
}
