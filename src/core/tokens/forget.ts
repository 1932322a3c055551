/** Deletes the tokens that are stored with a session, and revokes them if the configuration says so. */
import { unavailable, withTimeout } from '../async/timeout.ts'
import type { SessionContext, Subject } from '../contracts.ts'
import type { StoredTokens } from './stored-tokens.ts'
import { recordKey, sessionVault } from './vault.ts'

/** Milliseconds for which a sign-out waits for the provider. */
const REVOCATION = 3_000

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

async function revoke(ctx: SessionContext, tokens: StoredTokens): Promise<void> {
  const { providers, log } = ctx.config
  const what = `The revocation of tokens at provider ${tokens.provider}`
  try {
    await withTimeout(providers.get(tokens.provider)?.tokens?.revoke(ctx, tokens), {
      what,
      timeout: REVOCATION,
      timeoutError: unavailable,
    })
  } catch (error) {
    const reason = ctx.secrets.redact(error)?.message ?? ''
    log.warn('token-not-revoked', `${what} failed. The user is signed out here. ${reason}`)
  }
}

/**
 * Deletes the tokens before the session ends, without which they are not found; returns what remains to be done after
 * it. A store that is down does not prevent the sign-out: the records expire.
 */
export async function forgetTokens(ctx: SessionContext): Promise<() => Promise<void>> {
  const { config, cookies, jar } = ctx
  const { providers, records, session } = config
  const ids = providers.ids.filter((id) => providers.get(id)?.tokens)
  const revoked: StoredTokens[] = []
  try {
    const subject = await session.subject(ctx)
    if (subject) revoked.push(...(await tokensToRevoke(ctx, ids, subject)))
    if (subject && ids.length > 0 && (await records?.adapter())) {
      const keys = await Promise.all(ids.map((id) => recordKey(subject.sid, id)))
      await records?.delete(ctx, { keys })
    }
  } catch (error) {
    if (error instanceof Error) config.log.error(error)
  }
  const { name, options } = cookies.tokens
  for (const sent of jar.names(`${name}.`)) jar.delete({ name: sent, options })
  return async () => void (await Promise.all(revoked.map((tokens) => revoke(ctx, tokens))))
}
