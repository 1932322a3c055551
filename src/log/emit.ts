import { LIMITS, within } from '../deadline.ts'
import { EventError } from '../errors/session.ts'
import type { Awaitable } from '../types.ts'
import type { Logger } from './logger.ts'

/**
 * Tells the application that something happened. A handler that throws, or takes longer than a second,
 * is logged and changes nothing.
 *
 * @param name - the event, for the log
 * @param tell - calls the handler, if there is one
 */
export async function emit(
  log: Logger,
  name: string,
  tell: () => Awaitable<void> | undefined,
): Promise<void> {
  try {
    await within(tell(), { what: `The ${name} event handler`, limit: LIMITS.event })
  } catch (cause) {
    log.error(new EventError(`The ${name} event handler failed.`, { cause }))
  }
}
