import type { SessionPage, SessionPageOptions } from '../../core/session/session-info.ts'

/**
 * The sessions of the user who is signed in. Each function returns `null` for a visitor who is not.
 *
 * @throws InvalidConfiguration with sessions in cookies, without `session.devices` (`list`, `revoke`) or `session.revocation`
 * @throws MissingAdapterMethods with database sessions, if the adapter lacks `listSessions`
 */
export interface UserSessions<Args extends readonly unknown[]> {
  /** Lists the sessions, newest first, 100 at a time. */
  readonly list: (...args: [...Args, options?: SessionPageOptions]) => Promise<SessionPage | null>
  /**
   * Ends a session; returns whether one was ended. That of another user is not.
   *
   * @throws MissingCSRF if a page of another origin sent the request
   */
  readonly revoke: (...args: [...Args, sid: string]) => Promise<boolean | null>
  /**
   * Ends all sessions but that of the request. Returns how many were listed; `null` also without a list of sessions.
   *
   * @throws MissingCSRF if a page of another origin sent the request
   */
  readonly revokeOthers: (...args: Args) => Promise<number | null>
}
