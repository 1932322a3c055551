import { LIMITS, within } from '../deadline.ts'
import { EventError } from '../errors/session.ts'
import type { Awaitable } from '../types.ts'
import { conceal } from './conceal.ts'
import type { Logger } from './logger.ts'
import { secretsIn } from './redact.ts'

/** Where it is said that a handler failed, and when the request has to be answered. */
interface EmitContext {
  readonly config: { readonly log: Logger }
  /** In milliseconds since the epoch. */
  readonly deadline: number
}

/**
 * Tells the application that something happened. A handler that throws, or takes longer than a second,
 * is logged and changes nothing.
 *
 * @param name - the event, for the log
 * @param tell - calls the handler, if there is one
 * @param told - what the handler is told: the tokens in there stay out of the log
 */
export async function emit(
  ctx: EmitContext,
  name: string,
  tell: () => Awaitable<void> | undefined,
  told: unknown,
): Promise<void> {
  const { deadline } = ctx
  try {
    await within(tell(), { what: `The ${name} event handler`, limit: LIMITS.event, deadline })
  } catch (error) {
    const cause = error instanceof Error ? conceal(error, secretsIn(told)) : undefined
    ctx.config.log.error(new EventError(`The ${name} event handler threw or timed out.`, { cause }))
  }
}
