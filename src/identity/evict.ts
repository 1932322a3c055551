import type { AdapterAccount, AdapterUser } from '../adapters/index.ts'
import type { EvictMessage } from '../config/callbacks.ts'
import { EventError, TemporarilyUnavailable } from '../errors/session.ts'
import { callHook } from '../hooks.ts'
import type { DatabaseContext } from './context.ts'

const SESSIONS_REMAIN = 'sessions of the user cannot be revoked'

/** Marks the address of the user as verified, if the adapter can update users. */
export async function markVerified(ctx: DatabaseContext, user: AdapterUser): Promise<AdapterUser> {
  if (!(await ctx.database.has('updateUser'))) return user
  return ctx.query('updateUser', { id: user.id, emailVerified: new Date() })
}

/** Lets the application revoke its own credentials; a failure of the handler rejects the sign-in. */
async function emitEvict(ctx: DatabaseContext, message: EvictMessage): Promise<void> {
  ctx.secrets.addKeysOf(message)
  try {
    const run = () => ctx.config.events.evict?.(message)
    await callHook(ctx, { what: 'The evict event handler', run })
  } catch (cause) {
    if (cause instanceof TemporarilyUnavailable) throw cause
    throw new EventError('The evict event handler failed: the sign-in is rejected.', { cause })
  }
}

function warnOfAccess({ config }: DatabaseContext, reasons: readonly string[]): void {
  if (reasons.length === 0) return
  config.log.warnOnce(
    'eviction-unavailable',
    `An e-mail address was verified for the first time, and earlier access cannot be revoked completely: ${reasons.join('; ')}.`,
  )
}

/**
 * Revokes the sessions and linked accounts of a user who is not signed in to this browser. Concurrent sign-ins and
 * links read ownership again after they have written (`ProvisionedUser.confirm`), so the order matters: accounts before
 * sessions, because a sign-in with an account creates a session; then accounts again, because a session or the
 * unverified address can link a new one.
 */
async function revokeAll(ctx: DatabaseContext, user: AdapterUser): Promise<AdapterUser> {
  const { database, config } = ctx
  const endSessions = () => config.session.endAll(ctx, user.id, 'none')
  const lacking: string[] = []
  for (const method of ['listAccounts', 'unlinkAccount'] as const)
    if (!(await database.has(method))) lacking.push(`the adapter lacks ${method}`)
  const listAccounts = async (): Promise<readonly AdapterAccount[]> =>
    lacking.length === 0 ? ctx.query('listAccounts', user.id) : []
  const areEnded = await endSessions()
  const accounts = await listAccounts()
  await emitEvict(ctx, { user, accounts })
  for (const account of accounts) await ctx.query('unlinkAccount', account)
  await endSessions()
  const verified = await markVerified(ctx, user)
  for (const account of await listAccounts()) await ctx.query('unlinkAccount', account)
  await endSessions()
  warnOfAccess(ctx, areEnded ? lacking : [...lacking, SESSIONS_REMAIN])
  return verified
}

/**
 * Marks the address of an unverified user as verified, and revokes access from before the verification (defence against
 * account pre-hijacking). If this browser is signed in as that user, only sessions of other browsers are deleted.
 */
export async function evict(ctx: DatabaseContext, user: AdapterUser): Promise<AdapterUser> {
  const { session } = ctx.config
  if ((await session.subject(ctx))?.id !== user.id) return revokeAll(ctx, user)
  const areEnded = await session.endAll(ctx, user.id, 'current')
  warnOfAccess(ctx, areEnded ? [] : [SESSIONS_REMAIN])
  return markVerified(ctx, user)
}
