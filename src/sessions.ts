/** Lists and ends sessions: functions for the user who is signed in, and for the application. */
import { revokeOtherOwn, revokeOwn } from './core/account/end-own-sessions.ts'
import { callWithRequest } from './core/call-result.ts'
import type { CallResult } from './core/call-result.ts'
import type { AuthConfig } from './core/config/types.ts'
import { InvalidConfiguration } from './core/errors/classes.ts'
import type { RequestLike } from './core/http/read-headers.ts'
import { listOf, listOwn, revokeAllOf, revokeOf } from './core/session/manage-sessions.ts'
import type { SessionPage, SessionPageOptions } from './core/session/session-info.ts'

export type { CallResult as SessionsResult } from './core/call-result.ts'
export type { AuthConfig } from './core/config/types.ts'
export type { HeaderRecord, RequestLike, ServerRequest } from './core/http/read-headers.ts'
export type { SessionInfo, SessionPage, SessionPageOptions } from './core/session/session-info.ts'

/**
 * Lists the sessions of the user who is signed in, newest first, 100 at a time. `value` is `null` without a session.
 *
 * @param request - as for `getSession`: the request, or all of its headers
 * @throws InvalidConfiguration with sessions in cookies, without `session.devices`
 * @throws MissingAdapterMethods with database sessions, if the adapter lacks `listSessions`
 * @throws AdapterError if the store or the database fails
 * @throws the errors of `getSession`
 * @example
 * ```ts
 * import { listSessions } from 'lib-auth/sessions'
 * import type { AuthConfig } from 'lib-auth/sessions'
 *
 * export async function devices(request: Request, config: AuthConfig): Promise<Response> {
 *   const { value, headers } = await listSessions(request, config)
 *   return Response.json(value?.sessions ?? [], { headers })
 * }
 * ```
 */
export function listSessions(
  request: RequestLike,
  config: AuthConfig,
  options: SessionPageOptions = {},
): Promise<CallResult<SessionPage | null>> {
  return callWithRequest('listSessions', request, config, (caller) =>
    listOwn(caller, config, options),
  )
}

/**
 * Ends a session of the user who is signed in; returns whether one was ended. It is not ended if another user has it.
 *
 * @throws StepUpRequired with `account` or `secondStep`, if the sign-in is not recent (`account.freshFor`)
 * @throws MissingCSRF if a page of another origin sent the request
 * @throws the errors of {@link listSessions}
 * @example
 * ```ts
 * import { revokeSession } from 'lib-auth/sessions'
 * import type { AuthConfig } from 'lib-auth/sessions'
 *
 * export async function signOutDevice(request: Request, sid: string, config: AuthConfig): Promise<boolean> {
 *   const { value } = await revokeSession(request, config, sid)
 *   return value === true
 * }
 * ```
 */
export function revokeSession(
  request: RequestLike,
  config: AuthConfig,
  sid: string,
): Promise<CallResult<boolean | null>> {
  return callWithRequest('revokeSession', request, config, (caller) =>
    revokeOwn(caller, config, sid),
  )
}

/**
 * Ends all sessions of the user who is signed in, but for that of the request. `value` is how many were listed; `null`
 * without a session, or without a list of sessions.
 *
 * @throws InvalidConfiguration with sessions in cookies, without `session.revocation`
 * @throws StepUpRequired with `account` or `secondStep`, if the sign-in is not recent (`account.freshFor`)
 * @throws MissingCSRF if a page of another origin sent the request
 * @throws the errors of {@link listSessions}
 * @example
 * ```ts
 * import { revokeOtherSessions } from 'lib-auth/sessions'
 * import type { AuthConfig } from 'lib-auth/sessions'
 *
 * export async function signOutElsewhere(request: Request, config: AuthConfig): Promise<void> {
 *   await revokeOtherSessions(request, config)
 * }
 * ```
 */
export function revokeOtherSessions(
  request: RequestLike,
  config: AuthConfig,
): Promise<CallResult<number | null>> {
  return callWithRequest('revokeOtherSessions', request, config, (caller) =>
    revokeOtherOwn(caller, config),
  )
}

/** The sessions of any user, for staff and background jobs. */
export interface SessionGovernor {
  /** @throws the errors of {@link listSessions} */
  list(userId: string, options?: SessionPageOptions): Promise<SessionPage>
  /** Returns whether a session was ended. @throws the errors of {@link listSessions} */
  revoke(userId: string, sid: string): Promise<boolean>
  /**
   * Ends all sessions of a user, but for those with the ids in `except` (at most 50). Returns how many were listed;
   * `null` without a list of sessions.
   *
   * @throws the errors of {@link revokeOtherSessions}
   */
  revokeAll(
    userId: string,
    options?: { readonly except?: string | readonly string[] | undefined },
  ): Promise<number | null>
}

/**
 * Lists and ends the sessions of any user. The application decides who may call this.
 *
 * @example
 * ```ts
 * import { governSessions } from 'lib-auth/sessions'
 * import type { AuthConfig } from 'lib-auth/sessions'
 *
 * export async function disableUser(userId: string, config: AuthConfig): Promise<void> {
 *   await governSessions(config).revokeAll(userId)
 * }
 * ```
 */
export function governSessions(config: AuthConfig): SessionGovernor {
  if (typeof config !== 'object' || config === null)
    throw new InvalidConfiguration(
      'The configuration is missing. Pass it as the argument: governSessions(config).',
    )
  return {
    list: (userId, options = {}) => listOf(config, userId, options),
    revoke: (userId, sid) => revokeOf(config, userId, sid),
    revokeAll: (userId, { except = [] } = {}) => revokeAllOf(config, userId, { except }),
  }
}
