import { LIMITS, within } from '../deadline.ts'
import { EventError } from '../errors/session.ts'
import type { Awaitable } from '../types.ts'
import { redactError } from './redact-error.ts'
import type { Logger } from './logger.ts'
import { secretsIn } from './redact.ts'

interface EmitContext {
  readonly config: { readonly log: Logger }
  /** In milliseconds since the epoch. */
  readonly deadline: number
}

/** Calls an event handler. An error or timeout is logged, without the secrets in `told`, and has no other effect. */
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
    const cause = redactError(error, secretsIn(told))
    ctx.config.log.error(new EventError(`The ${name} event handler threw or timed out.`, { cause }))
  }
}
