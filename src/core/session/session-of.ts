import type { DefaultSession } from '../types.ts'

/** Key of a property that exists only for the compiler. */
export declare const sessionType: unique symbol

/** A function that returns the session, such as `auth`; the property exists only for the compiler. */
export interface TellsSession<S extends DefaultSession = DefaultSession> {
  readonly [sessionType]?: S
}

/**
 * The type of the session that `auth` returns: the result of the `session` callback.
 *
 * @example
 * ```ts
 * import Lib from 'lib-auth/next'
 * import type { SessionOf } from 'lib-auth'
 *
 * export const { auth } = Lib({
 *   callbacks: { session: ({ session }) => ({ ...session, role: 'admin' as const }) },
 * })
 *
 * export type AppSession = SessionOf<typeof auth>
 * ```
 */
export type SessionOf<Source extends TellsSession> =
  Source extends TellsSession<infer S extends DefaultSession> ? S : never
