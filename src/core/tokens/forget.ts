/** Deletes the tokens that are stored with a session, and revokes them if the configuration says so. */
import type { SessionContext } from '../contracts.ts'
import { deleteRecords } from './delete-records.ts'
import { revokeAll } from './revoke.ts'
import type { StoredTokens } from './stored-tokens.ts'
import { clearTokenCookies } from './token-cookies.ts'
import { allTokens, isWithSession } from './vault.ts'

/**
 * Deletes the tokens before the session ends, without which they are not found; returns what remains to be done after
 * it. A store that is down does not prevent the sign-out: the records expire.
 */
export async function forgetTokens(ctx: SessionContext): Promise<() => Promise<void>> {
  const { log, session, tokens } = ctx.config
  const revoked: StoredTokens[] = []
  try {
    const subject = await session.subject(ctx)
    if (subject && tokens.revokeOnSignOut === 'session' && (await isWithSession(ctx)))
      revoked.push(...(await allTokens(ctx, subject)))
    if (subject) await deleteRecords(ctx, await subject.sid())
  } catch (error) {
    if (error instanceof Error) log.error(error)
  }
  clearTokenCookies(ctx)
  return () => revokeAll(ctx, revoked)
}
