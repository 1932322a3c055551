import type { SessionCallbackCall } from '../config/callbacks.ts'
import type { SessionContext } from '../contracts.ts'
import { SessionUnavailable } from '../errors/classes.ts'
import { callHook } from '../hooks.ts'
import type { HookCall } from '../hooks.ts'
import type { Session } from '../types.ts'

/** Awaits a step of a session read. Throws SessionUnavailable if it fails: a failure must not sign the user out. */
export async function runSessionStep<T>(
  ctx: SessionContext,
  what: string,
  { run, params }: Pick<HookCall<T>, 'run'> & { readonly params: object },
): Promise<T> {
  ctx.secrets.addKeysOf(Object.values(params))
  try {
    return await callHook(ctx, { what, run })
  } catch (cause) {
    throw new SessionUnavailable(`${what} threw or timed out, so the session cannot be read.`, {
      cause,
    })
  }
}

/** Removes the session token, which scripts must not be able to read, and serializes an `expires` that is a Date. */
function toBrowserSession(session: Session): Session {
  const { expires }: { expires: unknown } = session
  const isDate = expires instanceof Date
  if (!isDate && !('sessionToken' in session)) return session
  const { sessionToken: _sessionToken, ...rest }: Session & { sessionToken?: unknown } = session
  return isDate ? { ...rest, expires: expires.toISOString() } : rest
}

/** Calls the `session` callback. A missing result is not its parameter, which may contain private fields. */
export async function expose(
  ctx: SessionContext,
  params: SessionCallbackCall,
  defaultSession: Session,
): Promise<Session | null> {
  const run = () => ctx.config.callbacks.session?.(params)
  const returned = await runSessionStep(ctx, 'The session callback', { run, params })
  if (returned === null) return null
  const session = returned ?? defaultSession
  if (typeof session !== 'object' || Array.isArray(session))
    throw new SessionUnavailable(
      'The session callback did not return an object. Return the session, or null to report no session.',
    )
  return toBrowserSession(session)
}
