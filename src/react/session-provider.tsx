'use client'
import { createContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Context, ReactNode } from 'react'
import { createStore, userKey } from '../client/store.ts'
import type { SessionState } from '../client/store.ts'
import type { DefaultSession, Session, Untyped } from '../types.ts'
import { useRefresh } from './use-refresh.ts'
import type { RefreshOptions } from './use-refresh.ts'
import { loadForms, routes, shared } from './state.ts'

/** Updates the session with this data; without data, reads it again. */
export type UpdateSession<S extends DefaultSession = Session> = (
  data?: Untyped,
) => Promise<S | null>

interface SessionControls<S extends DefaultSession> {
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
export interface SessionProviderProps<S extends DefaultSession = Session> extends RefreshOptions {
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

function valueOf(state: SessionState, update: UpdateSession): SessionContextValue {
  const { session, ...controls } = state
  if (session) return { data: session, status: 'authenticated', update, ...controls }
  const status = session === null ? 'unauthenticated' : 'loading'
  return { data: null, status, update, ...controls }
}

const source = {
  read: (): Promise<Session | null> => routes().readJson('session'),
  update: async (data: unknown): Promise<Session | null> => (await loadForms()).update(data),
}

/** Provides the session to the components below it. */
export function SessionProvider(props: SessionProviderProps<DefaultSession>): ReactNode {
  const { children, session, basePath } = props
  if (basePath) shared.basePath = basePath
  const [store] = useState(() => createStore(source, session))
  const rendered = useRef(session)
  const state = useSyncExternalStore(store.subscribe, store.state, store.state)

  useEffect(() => {
    shared.store = store
    const disconnect = store.connect()
    if (store.state().session === undefined) void store.refresh()
    // Preloaded after the page has rendered. A failed import is repeated on the first click.
    loadForms().catch(() => undefined)
    return () => {
      disconnect()
      if (shared.store === store) shared.store = undefined
    }
  }, [store])

  // A new session from the server, after a sign-in or an update in an action, replaces the one here.
  useEffect(() => {
    const before = rendered.current
    rendered.current = session
    if (before === session || session === undefined) return
    const user = userKey(session)
    const hasUserChanged = user !== userKey(before) && user !== userKey(store.state().session)
    store.accept(session)
    if (hasUserChanged) store.notify()
  }, [store, session])

  useRefresh(store, state, props)

  const value = useMemo(() => valueOf(state, store.update), [state, store])
  return <SessionContext.Provider value={value}>{children}</SessionContext.Provider>
}
