/** Functions for the password of the user of a request. */
import type { PasswordInfo } from '../../core/account/account-info.ts'
import { readOwnPassword } from '../../core/account/own-password.ts'
import { callPasswords } from '../../core/password-calls.ts'
import type { PasswordCall } from '../../core/password-calls.ts'
import { callerOf } from './calls.ts'
import type { CallContext } from './calls.ts'
import { runCall } from './session-calls.ts'

/** Returns where the route redirects. */
export async function callPassword<Req extends object>(
  req: Req,
  call: PasswordCall,
  context: CallContext<Req>,
): Promise<string> {
  const answer = await callPasswords(callerOf(req, context), await context.configFor(req), call)
  context.cookies.set(req, answer.cookies)
  return answer.redirect
}

/** `null`: the user has no password, or the visitor is not signed in. */
export async function readPassword<Req extends object>(
  req: Req,
  context: CallContext<Req>,
): Promise<PasswordInfo | null> {
  return runCall(req, context, readOwnPassword)
}
