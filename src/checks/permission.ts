import type { SignInCallbackParams } from '../config/callbacks.ts'
import type { Context } from '../contracts.ts'
import { LIMITS, within } from '../deadline.ts'
import { AccessDenied } from '../errors/sign-in.ts'
import { rowOf } from '../errors/table.ts'
import { redactError } from '../log/redact-error.ts'
import { secretsIn } from '../log/redact.ts'

/** The error of the callback, without the tokens and passwords that it received. */
function refusal(cause: unknown, { user, account, profile, credentials }: SignInCallbackParams) {
  const told = [credentials, ...secretsIn(user), ...secretsIn(account), ...secretsIn(profile)]
  const redacted = redactError(cause, told)
  return new AccessDenied(redacted?.message, { cause: redacted })
}

/** @throws AccessDenied if the callback rejects or throws; an error that has a row in the error table is passed on */
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
    // The application chose the response by throwing an error that has a row.
    if (rowOf(cause)) throw cause
    throw refusal(cause, params)
  }
  const result = typeof answer === 'string' ? 'a redirect' : String(Boolean(answer))
  ctx.config.log.debug?.('signIn callback returned', { result })
  if (!answer) throw new AccessDenied('The signIn callback returned false.')
  return typeof answer === 'string' ? answer : true
}
