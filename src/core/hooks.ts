/** Calls functions of the application: with a time limit, and without secrets in the errors that they throw. */
import type { EventCalls, EventMessages, SignInCallbackParams } from './config/callbacks.ts'
import type { Context, SessionContext } from './contracts.ts'
import { TIMEOUTS, withTimeout } from './async/timeout.ts'
import { AccessDenied, EventError, TemporarilyUnavailable } from './errors/classes.ts'
import { noteRefusedAccount } from './errors/refused-account.ts'
import { findErrorRow } from './errors/table.ts'
import type { Awaitable } from './types.ts'

export interface HookCall<T> {
  /** Subject of error messages: "The signIn callback". */
  readonly what: string
  readonly run: () => Awaitable<T>
  /** Milliseconds. @default 10000 */
  readonly timeout?: number
  /** Whether an error is thrown unchanged, because its type determines the response. */
  readonly passes?: (error: unknown) => boolean
}

/** Throws the redacted error of the function, or TemporarilyUnavailable after the timeout. */
export async function callHook<T>(
  { deadline, secrets }: Pick<SessionContext, 'deadline' | 'secrets'>,
  { what, run, timeout = TIMEOUTS.callback, passes }: HookCall<T>,
): Promise<T> {
  let expired: Error | undefined
  const timeoutError = (message: string) => (expired = new TemporarilyUnavailable(message))
  try {
    return await withTimeout(run(), { what, timeout, deadline, timeoutError })
  } catch (error) {
    if (error === expired || passes?.(error)) throw error
    throw secrets.redact(error) ?? new Error(`${what} threw a value that is not an Error.`)
  }
}

/** Calls an event handler. An error or timeout is logged and has no other effect. */
export async function emit<Name extends keyof EventMessages>(
  ctx: Pick<SessionContext, 'config' | 'deadline' | 'secrets'>,
  name: Name,
  message: EventMessages[Name],
): Promise<void> {
  const events: Pick<EventCalls, Name> = ctx.config.events
  if (!events[name]) return
  const what = `The ${name} event handler`
  ctx.secrets.addKeysOf(Object.values(message))
  try {
    await callHook(ctx, { what, run: () => events[name]?.(message), timeout: TIMEOUTS.event })
  } catch (cause) {
    ctx.config.log.error(new EventError(`${what} threw or timed out.`, { cause }))
  }
}

/** The account of the provider, which may have another address than the stored user. */
function listNames({ user, profile = {} }: SignInCallbackParams): readonly unknown[] {
  return [profile['email'], user.email, user.name]
}

/** @throws AccessDenied if the callback rejects or throws; an error that has a row in the error table is passed on */
export async function runSignInCallback(
  ctx: Context,
  params: SignInCallbackParams,
): Promise<true | string> {
  const { callbacks } = ctx.config
  if (!callbacks.signIn) return true
  ctx.secrets.addKeysOf(params)
  const refuse = (message: string, options?: { readonly cause: Error }): AccessDenied => {
    const denied = new AccessDenied(message, options)
    noteRefusedAccount(denied, listNames(params))
    return denied
  }
  let answer: unknown
  try {
    answer = await callHook(ctx, {
      what: 'The signIn callback',
      run: () => callbacks.signIn?.(params),
      passes: (error) => findErrorRow(error) !== null,
    })
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    if (!findErrorRow(cause)) throw refuse(cause.message, { cause })
    noteRefusedAccount(cause, listNames(params))
    throw cause
  }
  const result = typeof answer === 'string' ? 'a redirect' : String(Boolean(answer))
  ctx.config.log.debug?.('signIn callback returned', { result })
  if (!answer) throw refuse('The signIn callback returned false.')
  return typeof answer === 'string' ? answer : true
}
