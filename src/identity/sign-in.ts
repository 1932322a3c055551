/** Every sign-in ends here, whatever proved it. */
import { csrf } from '../checks/csrf.ts'
import { redirectUrl } from '../checks/return-to.ts'
import type { Context, Evidence, Reply } from '../contracts.ts'
import { LIMITS, within } from '../deadline.ts'
import { AccessDenied } from '../errors/sign-in.ts'
import { rowOf } from '../errors/table.ts'
import { emit } from '../log/emit.ts'

/** What the `signIn` callback says: let in, or send elsewhere. Everything else is a refusal. */
async function permission(ctx: Context, evidence: Evidence): Promise<true | string> {
  const { callbacks } = ctx.config
  if (!callbacks.signIn) return true
  const { user, account, profile, credentials } = evidence
  const params = { user, account, ...(profile && { profile }), ...(credentials && { credentials }) }
  let answer: unknown
  try {
    answer = await within(callbacks.signIn(params), {
      what: 'The signIn callback',
      limit: LIMITS.callback,
      deadline: ctx.deadline,
    })
  } catch (cause) {
    // An error that says what it does is the application's own choice of an answer.
    if (rowOf(cause)) throw cause
    throw new AccessDenied(cause instanceof Error ? cause.message : undefined, { cause })
  }
  if (answer === true || (typeof answer === 'string' && answer)) return answer
  if (answer) return true
  throw new AccessDenied('The signIn callback refused the sign-in.')
}

/** Signs somebody in: asks the application, makes the session, tells who listens. */
export async function signIn(ctx: Context, evidence: Evidence): Promise<Reply> {
  const answer = await permission(ctx, evidence)
  if (answer !== true) return { status: 302, redirect: await redirectUrl(ctx, answer) }
  const { credentials: _credentials, returnTo, ...facts } = evidence
  const { session, events, log } = ctx.config
  await csrf.renew(ctx, await session.create(ctx, facts))
  if (events.signIn) await emit(log, 'signIn', () => events.signIn?.(facts))
  return { status: 302, redirect: returnTo }
}
