/** Stores tokens with the session that a sign-in creates: its own, and those of the session that it replaces. */
import type { SessionContext, Subject } from '../contracts.ts'
import { deleteRecords } from './delete-records.ts'
import { readTokens } from './stored-tokens.ts'
import type { StoredTokens } from './stored-tokens.ts'
import { clearTokenCookies } from './token-cookies.ts'
import { allTokens, isWithSession, sessionVault } from './vault.ts'

/** The session that a sign-in replaces. */
export interface ReplacedSession {
  readonly subject: Subject
  readonly tokens: readonly StoredTokens[]
}

/** `null` if the browser has no session, or tokens are not stored with it. */
export async function replacedSession(ctx: SessionContext): Promise<ReplacedSession | null> {
  try {
    if (!(await isWithSession(ctx))) return null
    const subject = await ctx.config.session.subject(ctx)
    return subject && { subject, tokens: await allTokens(ctx, subject) }
  } catch (error) {
    // The sign-in does not need them.
    if (error instanceof Error) ctx.config.log.error(error)
    return null
  }
}

/** The sign-in does not fail if that is impossible: the user can connect the account again. */
async function keep(ctx: SessionContext, subject: Subject, tokens: StoredTokens): Promise<void> {
  const { provider } = tokens
  try {
    const vault = await sessionVault(ctx, { subject, provider, account: undefined })
    if (vault.isOfSession) await vault.write(tokens)
  } catch (error) {
    if (error instanceof Error) ctx.config.log.error(error)
    ctx.config.log.warn(
      'token-not-stored',
      `The tokens of provider ${provider} could not be stored, so getAccessToken will ask the user to connect the account again.`,
    )
  }
}

interface NewTokens {
  /** The account of the sign-in, with its tokens; undefined: it was not one at a provider. */
  readonly account: Parameters<typeof readTokens>[0] | undefined
  readonly replaced: ReplacedSession | null
}

export async function keepTokens(
  ctx: SessionContext,
  { account, replaced }: NewTokens,
): Promise<void> {
  // Of an earlier session: no call opens them any more, and they would take the room of the new ones.
  clearTokenCookies(ctx)
  const subject = await ctx.config.session.subject(ctx)
  if (!subject) return
  if (account) await keep(ctx, subject, readTokens(account, { ...account }))
  if (!replaced) return
  const isSame = replaced.subject.id === subject.id
  for (const tokens of isSame ? replaced.tokens : [])
    if (tokens.provider !== account?.provider) await keep(ctx, subject, tokens)
  await deleteRecords(ctx, await replaced.subject.sid())
}
