import type { Attempt } from '../config/protection-options.ts'
import type { AuditContext, SessionContext } from '../contracts.ts'
import { CallbackRouteError, TemporarilyUnavailable } from '../errors/classes.ts'
import { callHook } from '../hooks.ts'
import { receivedHeaders } from '../http/server-call.ts'
import { TIMEOUTS } from '../async/timeout.ts'
import { findClientAddress } from './client-address.ts'

/** Of a route, or of a function that is called with a request. */
export type LimitContext = SessionContext & Pick<AuditContext, 'request'>

const ANSWERS = ['allow', 'refuse', 'challenge'] as const

/** The field in which a browser answers a challenge. */
export function readChallenge({ request }: LimitContext): string | null {
  const challenge = request.body?.['challenge']
  return typeof challenge === 'string' ? challenge : null
}

/** `null` if it is unknown, and in a function of the application, which may not have all headers. */
export function readClientAddress({ config, request, secrets }: LimitContext): string | null {
  if (!request.original) return null
  try {
    return findClientAddress(receivedHeaders(request.original), config.protection?.clientAddress)
  } catch (cause) {
    const message = 'protection.clientAddress did not return an address or null.'
    throw new CallbackRouteError(message, { cause: secrets.redact(cause) })
  }
}

/** The decision of the application about an attempt within its limits; no answer in time allows it. */
export async function askApplication(
  ctx: LimitContext,
  attempt: Attempt,
): Promise<(typeof ANSWERS)[number]> {
  const { protection, log } = ctx.config
  if (!protection?.onAttempt) return 'allow'
  const { onAttempt } = protection
  const what = 'protection.onAttempt'
  let answer: unknown
  try {
    const run = (): unknown => onAttempt(attempt)
    answer = await callHook(ctx, { what, run, timeout: TIMEOUTS.attempt })
  } catch (cause) {
    if (!(cause instanceof TemporarilyUnavailable))
      throw new CallbackRouteError(`${what} threw.`, { cause })
    log.warn('attempt-not-decided', cause.message)
    return 'allow'
  }
  const found = ANSWERS.find((each) => each === answer)
  if (found) return found
  const got = typeof answer === 'string' ? JSON.stringify(answer) : typeof answer
  throw new CallbackRouteError(
    `${what} did not return "allow", "refuse" or "challenge" (got ${got}).`,
  )
}
