/** Which session a function tells of, carried from the server to the browser by its type. */
import type { DefaultSession } from './types.ts'

declare const told: unique symbol

/** Something that tells who is signed in, as `auth` does. For the compiler only: no such property is ever there. */
export interface TellsSession<S extends DefaultSession = DefaultSession> {
  readonly [told]?: S
}

/**
 * The session that `auth` tells of: what the `session` callback returns.
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
