/** Whether the application lets somebody in. */
import type { SignInCallbackParams } from '../config/callbacks.ts'
import type { Context } from '../contracts.ts'
import { LIMITS, within } from '../deadline.ts'
import { AccessDenied } from '../errors/sign-in.ts'
import { rowOf } from '../errors/table.ts'
import { conceal } from '../log/conceal.ts'
import { secretsIn } from '../log/redact.ts'

/** What the callback threw, without the tokens and passwords it was told. */
function refusal(cause: unknown, { user, account, profile, credentials }: SignInCallbackParams) {
  const told = [credentials, ...secretsIn(user), ...secretsIn(account), ...secretsIn(profile)]
  const concealed = cause instanceof Error ? conceal(cause, told) : undefined
  return new AccessDenied(concealed?.message, { cause: concealed })
}

/**
 * What the `signIn` callback says: let in (`true`), or send elsewhere (where to).
 *
 * @throws AccessDenied when it refuses or throws; an error of ours that it throws is passed on
 */
export async function permission(
  ctx: Context,
  params: SignInCallbackParams,
): Promise<true | string> {
  const { callbacks } = ctx.config
  if (!callbacks.signIn) return true
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
    throw refusal(cause, params)
  }
  const result = typeof answer === 'string' ? 'a redirect' : String(Boolean(answer))
  ctx.config.log.debug?.('signIn callback returned', { result })
  if (!answer) throw new AccessDenied('The signIn callback returned false.')
  return typeof answer === 'string' ? answer : true
}
