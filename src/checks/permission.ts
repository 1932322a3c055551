import type { SignInCallbackParams } from '../config/callbacks.ts'
import type { Context } from '../contracts.ts'
import { AccessDenied } from '../errors/sign-in.ts'
import { rowOf } from '../errors/table.ts'
import { callHook } from '../hooks.ts'

/** @throws AccessDenied if the callback rejects or throws; an error that has a row in the error table is passed on */
export async function permission(
  ctx: Context,
  params: SignInCallbackParams,
): Promise<true | string> {
  const { callbacks } = ctx.config
  if (!callbacks.signIn) return true
  ctx.secrets.addKeysOf(params)
  let answer: unknown
  try {
    answer = await callHook(ctx, {
      what: 'The signIn callback',
      run: () => callbacks.signIn?.(params),
      passes: (error) => rowOf(error) !== null,
    })
  } catch (cause) {
    if (!(cause instanceof Error) || rowOf(cause)) throw cause
    throw new AccessDenied(cause.message, { cause })
  }
  const result = typeof answer === 'string' ? 'a redirect' : String(Boolean(answer))
  ctx.config.log.debug?.('signIn callback returned', { result })
  if (!answer) throw new AccessDenied('The signIn callback returned false.')
  return typeof answer === 'string' ? answer : true
}
