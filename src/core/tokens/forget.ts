/** Deletes the tokens that are stored with a session, and revokes them if the configuration says so. */
import type { SessionContext, Subject } from '../contracts.ts'
import { revokeAll } from './revoke.ts'
import type { StoredTokens } from './stored-tokens.ts'
import { clearTokenCookies } from './token-cookies.ts'
import { recordKey } from './record-vault.ts'
import { allTokens, isWithSession, tokenProviders } from './vault.ts'

/** Deletes the records of a session that has ended or ends. Never rejects: they expire. */
export async function deleteRecords(ctx: SessionContext, subject: Subject): Promise<void> {
  const { log, records } = ctx.config
  const ids = tokenProviders(ctx)
  try {
    if (ids.length === 0 || !(await records?.adapter())) return
    const sid = await subject.sid()
    await records?.delete(ctx, { keys: await Promise.all(ids.map((id) => recordKey(sid, id))) })
  } catch (error) {
    if (error instanceof Error) log.error(error)
  }
}

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
    if (subject) await deleteRecords(ctx, subject)
  } catch (error) {
    if (error instanceof Error) log.error(error)
  }
  clearTokenCookies(ctx)
  return () => revokeAll(ctx, revoked)
}
