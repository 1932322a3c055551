import type { AdapterAccount, AdapterUser } from '../adapters/index.ts'
import type { Context } from '../contracts.ts'
import type { Database } from '../database/database.ts'

const NEEDED = ['listAccounts', 'unlinkAccount'] as const

/** An unverified user, and what marks the address as verified. */
export interface Eviction {
  readonly user: AdapterUser
  readonly markVerified: () => Promise<AdapterUser>
}

/**
 * Revokes the sessions and linked accounts of an unverified user (defence against account pre-hijacking), then marks the
 * address as verified.
 *
 * Sign-ins and links run at the same time. Every one of them reads again what it depends on after it has written
 * (`Admission.confirm`), so the order counts: sessions are deleted after the accounts that admit them, and accounts
 * once more after the sessions, or the unverified address, that link them.
 */
export async function evict(
  ctx: Context,
  database: Database,
  { user, markVerified }: Eviction,
): Promise<AdapterUser> {
  const { session, log } = ctx.config
  const { id } = user
  const areEnded = await session.endAll(ctx, id)
  const has = await Promise.all(NEEDED.map((method) => database.has(method)))
  const lacking = NEEDED.filter((_method, index) => !has[index])
  const linked = async (): Promise<readonly AdapterAccount[]> =>
    lacking.length === 0 ? database.accountsOf(ctx, id) : []
  for (const account of await linked()) await database.unlinkAccount(ctx, account)
  await session.endAll(ctx, id)
  const verified = await markVerified()
  for (const account of await linked()) await database.unlinkAccount(ctx, account)
  if (lacking.length > 0 || !areEnded)
    log.warnOnce(
      'eviction-unavailable',
      `An address was verified for the first time, and what was there before cannot all be ended: ${[
        ...lacking.map((method) => `the adapter lacks ${method}`),
        ...(areEnded ? [] : ['sessions of the user cannot be ended']),
      ].join('; ')}.`,
    )
  return verified
}
