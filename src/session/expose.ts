import type { SessionCallbackCall } from '../config/callbacks.ts'
import type { SessionContext } from '../contracts.ts'
import { LIMITS, within } from '../deadline.ts'
import { SessionUnavailable } from '../errors/session.ts'
import { conceal } from '../log/conceal.ts'
import { secretsIn } from '../log/redact.ts'
import { timestamp } from '../timestamp.ts'
import type { Awaitable, Session } from '../types.ts'

/** A function of the application that a session read depends on. */
export interface Step<T> {
  readonly run: () => Awaitable<T>
  /** What it was told: the tokens in there stay out of the log. */
  readonly told: unknown
}

/**
 * Waits for something a session read depends on.
 *
 * @throws SessionUnavailable when it throws or takes too long: not knowing is never "signed out"
 */
export async function orUnavailable<T>(
  ctx: SessionContext,
  what: string,
  { run, told }: Step<T>,
): Promise<T> {
  try {
    return await within(run(), { what, limit: LIMITS.callback, deadline: ctx.deadline })
  } catch (error) {
    const cause = error instanceof Error ? conceal(error, secretsIn(told)) : undefined
    throw new SessionUnavailable(`${what} threw or timed out, so the session cannot be read.`, {
      cause,
    })
  }
}

/**
 * The session as it leaves the server: without what finds it in the database, which the browser has in a cookie that no
 * script can read, and with an expiry that the callback left as the database has it in text.
 */
function asSent(session: Session): Session {
  const { expires }: { expires: unknown } = session
  const isDate = expires instanceof Date
  if (!isDate && !('sessionToken' in session)) return session
  const { sessionToken: _sessionToken, ...rest }: Session & { sessionToken?: unknown } = session
  return isDate ? { ...rest, expires: timestamp(expires) } : rest
}

/**
 * What the browser may see of a session: what the `session` callback returns. Where it forgets to return, it is
 * `shown`: what the callback is told may hold more than anybody may see. `null` was meant: nobody is signed in. Both
 * strategies end here, so both produce one shape.
 */
export async function expose(
  ctx: SessionContext,
  params: SessionCallbackCall,
  shown: Session,
): Promise<Session | null> {
  const { callbacks } = ctx.config
  const step = {
    run: () => callbacks.session?.(params),
    told: [params.token, params.session, params.newSession],
  }
  const returned: Session | null | undefined = await orUnavailable(
    ctx,
    'The session callback',
    step,
  )
  if (returned === null) return null
  const session = returned ?? shown
  if (typeof session !== 'object' || Array.isArray(session))
    throw new SessionUnavailable(
      'The session callback did not return an object. Return the session, or null to report no session.',
    )
  return asSent(session)
}
