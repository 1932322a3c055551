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
import { routes, shared } from '../client/page-state.ts'
import { createStore, userKey } from '../client/store.ts'
import type { SessionState, SessionStore } from '../client/store.ts'
import type { SessionOf, TellsSession } from '../session-of.ts'
import type { DefaultSession, Session, Untyped } from '../types.ts'
import { loadForms, pageUrl } from './state.ts'

/** Minimum between automatic reads, in milliseconds: after a failed read, and when a session expires. */
const MIN_INTERVAL = 10_000

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
export interface SessionProviderProps<S extends DefaultSession = Session> {
  children: ReactNode
  /** The session that the server has read, which saves a request. `null`: unauthenticated. */
  session?: S | null | undefined
  /** @deprecated ignored: the routes are on the origin of the page */
  baseUrl?: string | undefined
  /** Base path of the routes. @default '/api/auth' */
  basePath?: string | undefined
  /** Polling interval in seconds; 0 disables polling. @default 0 */
  refetchInterval?: number | undefined
  /** Whether to read the session when the tab becomes visible. @default true */
  refetchOnWindowFocus?: boolean | undefined
  /** Whether to poll without a network connection. @default true */
  refetchWhenOffline?: boolean | undefined
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

/** Milliseconds until the session expires. A past expiry is ignored: it indicates clock skew. */
function timeLeft(expires: string | undefined): number {
  const left = Date.parse(expires ?? '') - Date.now()
  // One second later, the browser has deleted the cookie, so that reading does not extend the session.
  return left > 0 ? Math.max(left + 1000, MIN_INTERVAL) : Infinity
}

/** Reloads a page from the back-forward cache if the user has changed: it can contain data of the previous one. */
async function reloadIfUserChanged(store: SessionStore): Promise<void> {
  const previous = userKey(store.state().session)
  const current = userKey(await store.refresh())
  if (previous && previous !== current) globalThis.location.reload()
}

/** Reads the session when it may have changed. An unauthenticated tab does not poll. */
function useRefresh(
  store: SessionStore,
  state: SessionState,
  options: SessionProviderProps<DefaultSession>,
): void {
  const { refetchInterval = 0, refetchOnWindowFocus = true, refetchWhenOffline = true } = options
  const { session, isUncertain } = state
  const mayHaveSession = Boolean(session) || isUncertain
  const interval = isUncertain ? MIN_INTERVAL : refetchInterval * 1000
  const expires = session?.expires

  useEffect(() => {
    const wait = Math.min(timeLeft(expires), interval > 0 ? interval : Infinity)
    // The maximum of a timer is about 2^31 milliseconds.
    if (!mayHaveSession || wait > 2e9) return undefined
    const refresh = () => {
      if (refetchWhenOffline || navigator.onLine) void store.refresh()
    }
    const timer = setInterval(refresh, wait)
    return () => clearInterval(timer)
  }, [store, mayHaveSession, interval, expires, refetchWhenOffline])

  useEffect(() => {
    const listeners = new AbortController()
    const refresh = () => {
      if (!document.hidden) void store.refresh()
    }
    if (mayHaveSession && refetchOnWindowFocus)
      document.addEventListener('visibilitychange', refresh, listeners)
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void reloadIfUserChanged(store)
    }
    globalThis.addEventListener('pageshow', onPageShow, listeners)
    // A read that began before this does not show which user is signed in when the page is restored.
    globalThis.addEventListener('pagehide', store.discardRead, listeners)
    return () => listeners.abort()
  }, [store, mayHaveSession, refetchOnWindowFocus])
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
  if (!value) throw new Error('useSession needs a <SessionProvider> above the component.')
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
