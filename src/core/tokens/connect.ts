/** Completes a request for scopes: new tokens for the same account, in the same session. */
import type { Context, Reply } from '../contracts.ts'
import type { AccountEvidence, Connect } from '../evidence.ts'
import { AccountNotLinked } from '../errors/classes.ts'
import { refreshedTokens } from './stored-tokens.ts'
import { sessionVault } from './vault.ts'

/** @throws AccountNotLinked if another user or another account came back; then nothing is written */
export async function connect(
  ctx: Context,
  { stored, returnTo }: AccountEvidence,
  { account, sid, scope }: Connect,
): Promise<Reply> {
  const { session } = ctx.config
  const { provider, providerAccountId } = stored
  const subject = await session.readSubject(ctx)
  const isSame = subject !== null && (await subject.sid()) === sid
  if (!isSame || providerAccountId !== account)
    throw new AccountNotLinked(
      isSame
        ? `At provider ${provider}, the user chose another account than the connected one. Its tokens were not stored.`
        : 'The user has signed out, or another one has signed in, since the scopes were requested. Nothing was stored.',
      { provider },
    )
  const vault = await sessionVault(ctx, { subject, provider, account })
  const before = await vault.read()
  if (!before)
    throw new AccountNotLinked(
      `The account of provider ${provider} is not connected any more, so its tokens were not stored.`,
      { provider },
    )
  // Without `scope`, the response grants what was requested (RFC 6749 §5.1).
  await vault.write(refreshedTokens(before, { ...stored, scope: stored.scope ?? scope }))
  await ctx.config.audit?.record(ctx, {
    type: 'scope.granted',
    outcome: 'success',
    actor: { kind: 'user', id: subject.id },
    target: { kind: 'account', id: account },
    provider,
    session: await session.identify(ctx),
  })
  return { status: 302, redirect: returnTo }
}
