/** Ends sessions because their user has signed out at the provider. */
import type { Context, Subject } from '../contracts.ts'
import { emit } from '../hooks.ts'
import { forgetProviders, readHints } from '../logout/hints.ts'
import { ownersOf } from '../logout/provider-sessions.ts'
import type { Issued, ProviderSession } from '../logout/provider-sessions.ts'
import { verifiedClaims } from '../logout/keep-hints.ts'
import { recordVault } from '../tokens/record-vault.ts'
import { listScopes } from '../tokens/stored-tokens.ts'
import type { TokenVault } from '../tokens/token-vault.ts'
import { isWithSession, userVault } from '../tokens/vault.ts'

/** The user of a session that another request ends. */
function subjectOf({ userId: id, sid }: ProviderSession): Subject {
  return {
    id,
    sid: () => sid,
    facts: () => null,
    since: null,
    wasVerified: null,
    isStored: null,
    isUser: true,
    label: null,
  }
}

async function vaultOf(ctx: Context, session: ProviderSession): Promise<TokenVault | null> {
  const { records } = ctx.config
  const { provider, userId } = session
  const account = undefined
  if (!(await isWithSession(ctx))) return userVault(ctx, { userId, provider, account })
  return records
    ? recordVault(ctx, records, { subject: subjectOf(session), provider, account })
    : null
}

/** Deletes the tokens of the session, unless they were issued with `offline_access`. */
async function deleteTokens(ctx: Context, session: ProviderSession): Promise<void> {
  if (!ctx.config.tokens.isKept) return
  const vault = await vaultOf(ctx, session)
  const tokens = await vault?.read()
  if (!vault || !tokens) return
  const scopes = listScopes(tokens)
  if (scopes.includes('offline_access') || (scopes.length === 0 && session.isOffline)) return
  // Those of an account may be of another session at the provider.
  const { sid } = verifiedClaims(tokens.id_token)
  const isOther = sid !== undefined && session.opSid !== undefined && sid !== session.opSid
  if (!isOther || vault.isOfSession) await vault.remove(tokens)
}

/** Each step can be repeated: if one fails, the provider sends its request again. @throws AdapterError */
export async function endProviderSessions(
  ctx: Context,
  issued: Issued,
  sessions: readonly ProviderSession[],
): Promise<void> {
  for (const session of sessions) {
    const { userId, sid, provider } = session
    const isEnded = await ctx.config.session.endOne(ctx, userId, sid)
    // A session that its user has ended before has had its event.
    if (isEnded) await emit(ctx, 'revokeSession', { userId, sid, reason: 'provider' })
    await deleteTokens(ctx, session)
    // Also what other providers would end it by.
    const hints = await readHints(ctx, subjectOf(session))
    await forgetProviders(ctx, sid, [...hints, { owners: await ownersOf(issued, session) }])
    await ctx.config.audit?.record(ctx, {
      type: 'session.ended',
      outcome: 'success',
      reason: 'provider',
      actor: { kind: 'provider' },
      target: { kind: 'user', id: userId },
      provider,
    })
  }
}
