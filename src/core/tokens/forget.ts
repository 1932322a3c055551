/** Deletes the tokens that are stored with a session, and revokes them if the configuration says so. */
import type { SessionContext, Subject } from '../contracts.ts'
import { revokeAll } from './revoke.ts'
import type { StoredTokens } from './stored-tokens.ts'
import { clearTokenCookies, recordKey, sessionVault } from './vault.ts'

async function tokensToRevoke(
  ctx: SessionContext,
  ids: readonly string[],
  subject: Subject,
): Promise<readonly StoredTokens[]> {
  if (ctx.config.tokens.revokeOnSignOut !== 'session') return []
  const read = async (provider: string) => {
    const vault = await sessionVault(ctx, { subject, provider, account: undefined })
    return vault.isOfSession ? vault.read() : null
  }
  return (await Promise.all(ids.map(read))).filter((tokens) => tokens !== null)
}

/**
 * Deletes the tokens before the session ends, without which they are not found; returns what remains to be done after
 * it. A store that is down does not prevent the sign-out: the records expire.
 */
export async function forgetTokens(ctx: SessionContext): Promise<() => Promise<void>> {
  const { config } = ctx
  const { providers, records, session } = config
  const ids = providers.ids.filter((id) => providers.get(id)?.tokens)
  const revoked: StoredTokens[] = []
  try {
    const subject = await session.subject(ctx)
    if (subject) revoked.push(...(await tokensToRevoke(ctx, ids, subject)))
    if (subject && ids.length > 0 && (await records?.adapter())) {
      const sid = await subject.sid()
      const keys = await Promise.all(ids.map((id) => recordKey(sid, id)))
      await records?.delete(ctx, { keys })
    }
  } catch (error) {
    if (error instanceof Error) config.log.error(error)
  }
  clearTokenCookies(ctx)
  return () => revokeAll(ctx, revoked)
}
