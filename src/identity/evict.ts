import type { AdapterUser } from '../adapters/index.ts'
import type { Context } from '../contracts.ts'
import type { Database } from '../database/database.ts'

const NEEDED = ['listAccounts', 'unlinkAccount'] as const

/**
 * Takes away what somebody left to sign in with who never showed that the address is theirs: they may have waited for
 * its owner to come. Sessions end before and after, because one can be made meanwhile.
 */
export async function evict(ctx: Context, database: Database, user: AdapterUser): Promise<void> {
  const { session, log } = ctx.config
  const areEnded = await session.endAll(ctx, user.id)
  const has = await Promise.all(NEEDED.map((method) => database.has(method)))
  const lacking = NEEDED.filter((_method, index) => !has[index])
  if (lacking.length === 0) {
    for (const account of await database.accountsOf(ctx, user.id))
      await database.unlinkAccount(ctx, account)
    await session.endAll(ctx, user.id)
  }
  if (lacking.length > 0 || !areEnded)
    log.warnOnce(
      'eviction-unavailable',
      `An address was verified for the first time, and what was there before cannot all be ended: ${[
        ...lacking.map((method) => `the adapter lacks ${method}`),
        ...(areEnded ? [] : ['sessions of the user cannot be ended']),
      ].join('; ')}.`,
    )
}
