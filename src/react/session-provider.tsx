'use client'
import { createContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Context, ReactNode } from 'react'
import { createStore, whoIs } from '../client/store.ts'
import type { SessionState } from '../client/store.ts'
import type { DefaultSession, Session, Untyped } from '../types.ts'
import { loadForms } from './load-forms.ts'
import { useLooks } from './looks.ts'
import type { Occasions } from './looks.ts'
import { routes, shared } from './state.ts'

/** Has the session changed; without data, asks for it again. */
export type UpdateSession<S extends DefaultSession = Session> = (
  data?: Untyped,
) => Promise<S | null>

/** What there is to know and do in every state. */
interface SessionControls<S extends DefaultSession> {
  update: UpdateSession<S>
  /** Whether the answer to `update` is awaited; `data` is what it was until then. */
  isUpdating?: boolean
  /** Whether the session could not be asked for the last time; `data` is what was known before. */
  isUncertain?: boolean
}

/** What {@link useSession} returns. */
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
export interface SessionProviderProps<S extends DefaultSession = Session> extends Occasions {
  children: ReactNode
  /** What the server knows: it saves a request. `null`: nobody is signed in. */
  session?: S | null | undefined
  /** @deprecated the routes are on the origin of the page */
  baseUrl?: string | undefined
  /** Path of the routes. @default '/api/auth' */
  basePath?: string | undefined
}

/** Where {@link useSession} finds the session; `undefined` outside of a {@link SessionProvider}. */
export const SessionContext: Context<SessionContextValue | undefined> = createContext<
  SessionContextValue | undefined
>(undefined)

function valueOf(state: SessionState, update: UpdateSession): SessionContextValue {
  const { session, ...controls } = state
  if (session) return { data: session, status: 'authenticated', update, ...controls }
  const status = session === null ? 'unauthenticated' : 'loading'
  return { data: null, status, update, ...controls }
}

/** The session of this browser, as the routes of the site know it. */
const source = {
  read: (): Promise<Session | null> => routes().read('session'),
  update: async (data: unknown): Promise<Session | null> => (await loadForms()).update(data),
}

/** Gives the session to everything below it. */
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
    // Later than what the page is made of, and before it is clicked on. What fails is tried again then.
    loadForms().catch(() => undefined)
    return () => {
      disconnect()
      if (shared.store === store) shared.store = undefined
    }
  }, [store])

  // The server rendered again, after a sign-in or an update in an action: it knows better.
  useEffect(() => {
    const before = rendered.current
    rendered.current = session
    if (before === session || session === undefined) return
    const who = whoIs(session)
    const isNews = who !== whoIs(before) && who !== whoIs(store.state().session)
    store.take(session)
    if (isNews) store.tell()
  }, [store, session])

  useLooks(store, state, props)

  const value = useMemo(() => valueOf(state, store.update), [state, store])
  return <SessionContext.Provider value={value}>{children}</SessionContext.Provider>
}
