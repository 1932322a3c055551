'use client'
import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Context, ReactNode } from 'react'
import { follow } from '../client/refetch.ts'
import type { RefetchOptions } from '../client/refetch.ts'
import { loadForms, pageSource, pageUrl } from '../client/page-functions.ts'
import { shared } from '../client/page-state.ts'
import { sessionValue } from '../client/session-value.ts'
import type { UpdateSession } from '../client/session-value.ts'
import { createStore } from '../client/store.ts'
import type { SessionOf, TellsSession } from '../../core/session/session-of.ts'
import type { DefaultSession, Session } from '../../core/types.ts'

/** The members of {@link SessionContextValue} in each status. */
export interface SessionControls<S extends DefaultSession> {
  update: UpdateSession<S>
  /** Whether an update is pending; `data` is still the previous session. */
  isUpdating?: boolean
  /** Whether the last read failed; `data` is the last known session. */
  isUncertain?: boolean
}

/** Result of {@link useSession}. */
export type SessionContextValue<
  Required extends boolean = false,
  S extends DefaultSession = Session,
> = SessionControls<S> &
  (
    | { data: S; status: 'authenticated' }
    | { data: null; status: 'loading' }
    | (Required extends true ? never : { data: null; status: 'unauthenticated' })
  )

/** Properties of {@link SessionProvider}. */
export interface SessionProviderProps<S extends DefaultSession = Session> extends RefetchOptions {
  children: ReactNode
  /** The session that the server has read, which saves a request. `null`: unauthenticated. */
  session?: S | null | undefined
  /** @deprecated ignored: the routes are on the origin of the page */
  baseUrl?: string | undefined
  /** Base path of the routes. @default '/api/auth' */
  basePath?: string | undefined
}

/** The context of {@link useSession}; `undefined` outside of a {@link SessionProvider}. */
export const SessionContext: Context<SessionContextValue | undefined> = createContext<
  SessionContextValue | undefined
>(undefined)

/** Provides the session to the components below it. */
export function SessionProvider(props: SessionProviderProps<DefaultSession>): ReactNode {
  const { children, session, basePath } = props
  if (basePath) shared.basePath = basePath
  const [store] = useState(() => createStore(pageSource, session))
  const state = useSyncExternalStore(store.subscribe, store.state, store.state)

  useEffect(() => {
    // Preloaded after the page has rendered. A failed import is repeated on the first click.
    loadForms().catch(() => undefined)
    return follow(store, props)
  }, [store, props.refetchInterval, props.refetchOnWindowFocus, props.refetchWhenOffline])
  // A new session from the server, after a sign-in or an update in an action, replaces the one here.
  useEffect(() => store.accept(session), [store, session])

  const value = useMemo(() => sessionValue(state, store.update), [state, store])
  return <SessionContext.Provider value={value}>{children}</SessionContext.Provider>
}

/** Options of {@link useSession}. */
export interface UseSessionOptions<Required extends boolean = boolean> {
  /** Whether the component requires a session. @default false */
  required?: Required
  /** Called if the user is unauthenticated. @default goes to the sign-in page */
  onUnauthenticated?: () => void
}

function goToSignIn(): void {
  // Replaces this page, so that the back button does not lead to it and to another redirect.
  globalThis.location.replace(pageUrl('signin', { error: 'SessionRequired' }))
}

/**
 * Returns the session in a client component below {@link SessionProvider}.
 *
 * @throws Error if there is no {@link SessionProvider} above
 * @example
 * ```tsx
 * 'use client'
 * import { useSession } from 'lib-auth/react'
 *
 * export function Greeting() {
 *   const { data, status } = useSession()
 *   if (status === 'loading') return null
 *   return <p>{data ? `Hello ${data.user?.name}` : 'Hello stranger'}</p>
 * }
 * ```
 */
export function useSession<R extends boolean = false>(
  options?: UseSessionOptions<R>,
): SessionContextValue<R>
/** Returns the session with the type of `auth`: `useSession<typeof auth>()`. Parsed from JSON: a `Date` is a string. */
export function useSession<Source extends TellsSession>(
  options: UseSessionOptions<true> & { required: true },
): SessionContextValue<true, SessionOf<Source>>
export function useSession<Source extends TellsSession>(
  options?: UseSessionOptions,
): SessionContextValue<false, SessionOf<Source>>
// Repeated, because `ReturnType` and mocks of test runners use the last overload.
export function useSession<R extends boolean = false>(
  options?: UseSessionOptions<R>,
): SessionContextValue<R>
export function useSession(options: UseSessionOptions = {}): SessionContextValue {
  const value = useContext(SessionContext)
  if (!value) throw new Error('useSession needs a <SessionProvider> above it.')
  const { required = false, onUnauthenticated } = options
  const isMissing = required && value.status === 'unauthenticated'
  const callback = useRef(onUnauthenticated)
  useEffect(() => {
    callback.current = onUnauthenticated
  })
  // A failed read does not redirect.
  const isConfirmed = isMissing && !value.isUncertain
  // Once per sign-out, however often the component renders.
  useEffect(() => {
    if (isConfirmed) (callback.current ?? goToSignIn)()
  }, [isConfirmed])
  return isMissing ? { ...value, data: null, status: 'loading' } : value
}
