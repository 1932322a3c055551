'use client'
import {
  createContext,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Context, ReactNode } from 'react'
import { createStore } from '../client/store.ts'
import type { SessionState, SessionStore } from '../client/store.ts'
import type { DefaultSession, Session } from '../types.ts'
import { client, setBasePath, shared } from './state.ts'

/** Has the session changed; without data, asks for it again. */
export type UpdateSession<S extends DefaultSession = Session> = (
  data?: unknown,
) => Promise<S | null>

/** What there is to know and do in every state. */
interface SessionControls<S extends DefaultSession> {
  update: UpdateSession<S>
  /** Whether the answer to `update` is awaited; `data` is what it was until then. */
  isUpdating?: boolean
}

/** What {@link useSession} returns. */
export type SessionContextValue<
  Required extends boolean = false,
  S extends DefaultSession = Session,
> = SessionControls<S> &
  (
    | { data: S; status: 'authenticated' }
    | { data: null; status: Required extends true ? 'loading' : 'unauthenticated' | 'loading' }
  )

/** Properties of {@link SessionProvider}. */
export interface SessionProviderProps<S extends DefaultSession = Session> {
  children: ReactNode
  /** What the server knows: it saves a request. `null`: nobody is signed in. */
  session?: S | null | undefined
  /** @deprecated the routes are on the origin of the page */
  baseUrl?: string | undefined
  /** Path of the routes. @default '/api/auth' */
  basePath?: string | undefined
  /** Seconds between two looks at the session; 0: never. @default 0 */
  refetchInterval?: number | undefined
  /** Whether to look when somebody comes back to the tab. @default true */
  refetchOnWindowFocus?: boolean | undefined
  /** Whether to go on looking without a network. @default true */
  refetchWhenOffline?: boolean | undefined
}

/** Where {@link useSession} finds the session; `undefined` outside of a {@link SessionProvider}. */
export const SessionContext: Context<SessionContextValue | undefined> = createContext<
  SessionContextValue | undefined
>(undefined)

function valueOf(state: SessionState, update: UpdateSession): SessionContextValue {
  const { session, isUpdating } = state
  const controls = { update, isUpdating }
  if (session) return { data: session, status: 'authenticated', ...controls }
  return { data: null, status: session === null ? 'unauthenticated' : 'loading', ...controls }
}

/** Whether looking can tell anything new: nobody signs in by themselves. */
function isWorthALook({ state }: SessionStore): boolean {
  const { session, isUncertain } = state()
  return Boolean(session) || isUncertain
}

/** Looks at the session now and then, while somebody is signed in. */
function usePolling(store: SessionStore, seconds: number, whenOffline: boolean): void {
  useEffect(() => {
    if (seconds <= 0) return undefined
    const look = () => {
      if (isWorthALook(store) && (whenOffline || navigator.onLine)) void store.refresh()
    }
    const timer = setInterval(look, seconds * 1000)
    return () => clearInterval(timer)
  }, [store, seconds, whenOffline])
}

/** Looks at the session when somebody comes back to the tab. */
function useFocus(store: SessionStore, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return undefined
    const look = () => {
      if (document.visibilityState === 'visible' && isWorthALook(store)) void store.refresh()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [store, isWanted])
}

/** Gives the session to everything below it. */
export function SessionProvider(props: SessionProviderProps<DefaultSession>): ReactNode {
  const { children, session, basePath, refetchInterval = 0 } = props
  const { refetchOnWindowFocus = true, refetchWhenOffline = true } = props
  if (basePath) setBasePath(basePath)
  const [store] = useState(() => createStore(client, session))
  const rendered = useRef(session)
  const state = useSyncExternalStore(store.subscribe, store.state, store.state)

  useEffect(() => {
    shared.store = store
    const disconnect = store.connect()
    if (store.state().session === undefined) void store.refresh()
    return () => {
      disconnect()
      if (shared.store === store) shared.store = undefined
    }
  }, [store])

  // The server rendered again, after a sign-in or an update in an action: it knows better.
  useEffect(() => {
    if (rendered.current === session) return
    rendered.current = session
    if (session !== undefined) store.set(session)
  }, [store, session])

  usePolling(store, refetchInterval, refetchWhenOffline)
  useFocus(store, refetchOnWindowFocus)

  const update: UpdateSession = useCallback(
    async (data) => (data === undefined ? ((await store.refresh()) ?? null) : store.update(data)),
    [store],
  )
  const value = useMemo(() => valueOf(state, update), [state, update])
  return <SessionContext.Provider value={value}>{children}</SessionContext.Provider>
}
