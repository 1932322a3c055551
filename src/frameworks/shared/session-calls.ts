/** Functions for the session of a request that need no route: assurance, and the sessions of the user. */
import { revokeOtherOwn, revokeOwn } from '../../core/account/end-own-sessions.ts'
import type { Assured, AuthRequirement, LevelOf } from '../../core/assurance/assured.ts'
import type { Answer } from '../../core/call-result.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import type { ReadRequest } from '../../core/http/read-headers.ts'
import { SessionRequired, StepUpRequired } from '../../core/errors/classes.ts'
import { callForAuth } from '../../core/require-auth.ts'
import type { RequireAuthOptions } from '../../core/require-auth.ts'
import { listOwn } from '../../core/session/manage-sessions.ts'
import type { SessionPage, SessionPageOptions } from '../../core/session/session-info.ts'
import type { Session } from '../../core/types.ts'
import type { CallContext } from './calls.ts'
import { completeRequest } from './request-adapter.ts'
import { currentHeaders } from './session-reader.ts'

/** Calls a function of the core, and sets the cookies that it has changed. */
export async function runCall<Req extends object, T>(
  req: Req,
  { adapter, cookies, configFor }: Omit<CallContext<Req>, 'csrf' | 'home'>,
  call: (request: ReadRequest, config: AuthConfig) => Promise<Answer<T>>,
): Promise<T> {
  const headers = currentHeaders(req, adapter, cookies)
  const referer = adapter.referer?.(req)
  if (referer) headers.set('referer', referer)
  const request = { ...completeRequest(req, adapter), headers }
  const { value, cookies: changes } = await call(request, await configFor(req))
  try {
    if (changes.length > 0) cookies.set(req, changes)
  } catch {
    // The response has begun. A later request extends the session.
  }
  return value
}

type Context<Req extends object> = Parameters<typeof runCall<Req, unknown>>[1]

/** @throws SessionRequired, StepUpRequired */
export function requireAuth<Req extends object, const Options extends RequireAuthOptions>(
  req: Req,
  options: Options | undefined,
  context: Context<Req>,
): Promise<Assured<Session, LevelOf<Options>>>
export async function requireAuth<Req extends object>(
  req: Req,
  options: RequireAuthOptions | undefined,
  context: Context<Req>,
): Promise<Assured> {
  return runCall(req, context, (request, config) =>
    callForAuth(request, config, { caller: 'requireAuth', options }),
  )
}

/** What the user has to do first, on the page of the `url`; `null` if the session meets the requirement. */
export async function findStepUp<Req extends object>(
  req: Req,
  options: AuthRequirement,
  context: Context<Req>,
): Promise<StepUpRequired | SessionRequired | null> {
  try {
    await runCall(req, context, (request, config) =>
      callForAuth(request, config, { caller: 'protect', options }),
    )
    return null
  } catch (error) {
    if (error instanceof StepUpRequired || error instanceof SessionRequired) return error
    throw error
  }
}

export async function listSessions<Req extends object>(
  req: Req,
  options: SessionPageOptions | undefined,
  context: Context<Req>,
): Promise<SessionPage | null> {
  return runCall(req, context, (request, config) => listOwn(request, config, options ?? {}))
}

export async function revokeSession<Req extends object>(
  req: Req,
  sid: string,
  context: Context<Req>,
): Promise<boolean | null> {
  return runCall(req, context, (request, config) => revokeOwn(request, config, sid))
}

export async function revokeOtherSessions<Req extends object>(
  req: Req,
  context: Context<Req>,
): Promise<number | null> {
  return runCall(req, context, revokeOtherOwn)
}
