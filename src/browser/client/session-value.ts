import type { DefaultSession, Session } from '../../core/types.ts'
import type { SessionState } from './store.ts'

/** Updates the session with this data; without data, reads it again. */
export type UpdateSession<S extends DefaultSession = Session> = (
  // `any`, as in `next-auth/react`: what the application passes on to its callback.
  data?: any,
) => Promise<S | null>

/** The session as components read it. */
export type SessionValue<S extends DefaultSession = Session> = {
  readonly update: UpdateSession<S>
  /** Whether an update is pending; `data` is still the previous session. */
  readonly isUpdating: boolean
  /** Whether the last read failed; `data` is the last known session. */
  readonly isUncertain: boolean
} & (
  | { readonly data: S; readonly status: 'authenticated' }
  | { readonly data: null; readonly status: 'loading' | 'unauthenticated' }
)

export function sessionValue(state: SessionState, update: UpdateSession): SessionValue {
  const { session, ...controls } = state
  if (session) return { data: session, status: 'authenticated', update, ...controls }
  const status = session === null ? 'unauthenticated' : 'loading'
  return { data: null, status, update, ...controls }
}
