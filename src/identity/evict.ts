import type { AdapterAccount, AdapterUser } from '../adapters/index.ts'
import type { EvictMessage } from '../config/callbacks.ts'
import type { Context } from '../contracts.ts'
import type { Database } from '../database/database.ts'
import { EventError, TemporarilyUnavailable } from '../errors/session.ts'
import { callHook } from '../hooks.ts'

const NEEDED = ['listAccounts', 'unlinkAccount'] as const

export interface Eviction {
  readonly user: AdapterUser
  readonly markVerified: () => Promise<AdapterUser>
}

/** Lets the application revoke its own credentials; a failure of the handler rejects the sign-in. */
async function announce(ctx: Context, message: EvictMessage): Promise<void> {
  const { events } = ctx.config
  ctx.secrets.addKeysOf(message)
  try {
    await callHook(ctx, {
      what: 'The evict event handler',
      run: () => events.evict?.(message),
    })
  } catch (cause) {
    if (cause instanceof TemporarilyUnavailable) throw cause
    throw new EventError('The evict event handler failed: the sign-in is rejected.', { cause })
  }
}

/** What of earlier access could not be revoked. */
interface Remainder {
  readonly lacking: readonly string[]
  readonly areEnded: boolean
}

function warn({ config }: Context, { lacking, areEnded }: Remainder): void {
  const reasons = lacking.map((method) => `the adapter lacks ${method}`)
  if (!areEnded) reasons.push('sessions of the user cannot be revoked')
  config.log.warnOnce(
    'eviction-unavailable',
    `An e-mail address was verified for the first time, and earlier access cannot be revoked completely: ${reasons.join('; ')}.`,
  )
}

/**
 * Revokes the sessions and linked accounts of a user who is not signed in to this browser. Concurrent sign-ins and
 * links read ownership again after they have written (`Admission.confirm`), so the order matters: accounts before
 * sessions, because a sign-in with an account creates a session; then accounts again, because a session or the
 * unverified address can link a new one.
 */
async function revoke(
  ctx: Context,
  database: Database,
  { user, markVerified }: Eviction,
): Promise<AdapterUser> {
  const { session } = ctx.config
  const { id } = user
  const areEnded = await session.endAll(ctx, id, 'none')
  const has = await Promise.all(NEEDED.map((method) => database.has(method)))
  const lacking = NEEDED.filter((_method, index) => !has[index])
  const linked = async (): Promise<readonly AdapterAccount[]> =>
    lacking.length === 0 ? database.call(ctx, 'listAccounts', id) : []
  const accounts = await linked()
  await announce(ctx, { user, accounts })
  for (const account of accounts) await database.call(ctx, 'unlinkAccount', account)
  await session.endAll(ctx, id, 'none')
  const verified = await markVerified()
  for (const account of await linked()) await database.call(ctx, 'unlinkAccount', account)
  await session.endAll(ctx, id, 'none')
  if (lacking.length > 0 || !areEnded) warn(ctx, { lacking, areEnded })
  return verified
}

/**
 * Marks the address of an unverified user as verified, and revokes access from before the verification (defence against
 * account pre-hijacking). If this browser is signed in as that user, only sessions of other browsers are deleted.
 */
export async function evict(
  ctx: Context,
  database: Database,
  eviction: Eviction,
): Promise<AdapterUser> {
  const { session } = ctx.config
  const { user, markVerified } = eviction
  const subject = await session.subject(ctx)
  if (subject?.id !== user.id) return revoke(ctx, database, eviction)
  const areEnded = await session.endAll(ctx, user.id, 'current')
  if (!areEnded) warn(ctx, { lacking: [], areEnded })
  return markVerified()
}
