import type { SessionContext } from '../contracts.ts'
import type { EndOptions } from '../session/end-options.ts'

/** A change after which the sessions of a user end. */
interface UserChange extends Pick<EndOptions, 'spare'> {
  readonly userId: string
  /** For the warning: `A password was changed`. */
  readonly change: string
}

/** Ends the sessions of a user; those in a cookie without `session.revocation` last until they expire, which is a warning. */
export async function endSessions(
  ctx: SessionContext,
  { userId, spare, change }: UserChange,
): Promise<void> {
  const { session, log } = ctx.config
  if (await session.endAll(ctx, userId, { spare })) return
  log.warnOnce(
    'sessions-not-ended',
    `${change}, and the other sessions of the user do not end before they expire. Set session.revocation: {}, or with sessions in the database use an adapter with deleteUserSessions.`,
  )
}
