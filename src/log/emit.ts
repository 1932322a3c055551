import { LIMITS, within } from '../deadline.ts'
import { EventError } from '../errors/session.ts'
import type { Awaitable } from '../types.ts'
import { conceal } from './conceal.ts'
import type { Logger } from './logger.ts'
import { secretsIn } from './redact.ts'

/**
 * Tells the application that something happened. A handler that throws, or takes longer than a second,
 * is logged and changes nothing.
 *
 * @param name - the event, for the log
 * @param tell - calls the handler, if there is one
 * @param told - what the handler is told: the tokens in there stay out of the log
 */
export async function emit(
  log: Logger,
  name: string,
  tell: () => Awaitable<void> | undefined,
  told: unknown,
): Promise<void> {
  try {
    await within(tell(), { what: `The ${name} event handler`, limit: LIMITS.event })
  } catch (error) {
    const cause = error instanceof Error ? conceal(error, secretsIn(told)) : undefined
    log.error(new EventError(`The ${name} event handler failed.`, { cause }))
  }
}
