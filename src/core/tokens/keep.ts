/** Stores the tokens of a sign-in with its session. */
import type { Account, TokenSet } from '../types.ts'
import type { SessionContext } from '../contracts.ts'
import { readTokens } from './stored-tokens.ts'
import { clearTokenCookies, sessionVault } from './vault.ts'

/** The sign-in does not fail if that is impossible: the user can connect the account again. */
export async function keepTokens(
  ctx: SessionContext,
  { provider, providerAccountId, ...tokens }: Account & TokenSet,
): Promise<void> {
  // Of an earlier session: no call opens them any more, and they would take the room of the new ones.
  clearTokenCookies(ctx)
  const subject = await ctx.config.session.subject(ctx)
  if (!subject) return
  try {
    const vault = await sessionVault(ctx, { subject, provider, account: undefined })
    if (vault.isOfSession)
      await vault.write(readTokens({ provider, providerAccountId }, { ...tokens }))
  } catch (error) {
    if (error instanceof Error) ctx.config.log.error(error)
    ctx.config.log.warn(
      'token-not-stored',
      `The tokens of provider ${provider} could not be stored, so getAccessToken will ask the user to connect the account again.`,
    )
  }
}
