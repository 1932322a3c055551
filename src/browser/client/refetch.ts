import { shared } from './page-state.ts'
import { userKey } from './store.ts'
import type { SessionStore } from './store.ts'

/** Minimum between automatic reads, in milliseconds: after a failed read, and when a session expires. */
const MIN_INTERVAL = 10_000

/** The maximum of a timer, about 2^31 milliseconds. */
const MAX_INTERVAL = 2e9

/** When the session is read again. */
export interface RefetchOptions {
  /** Polling interval in seconds; 0 disables polling. @default 0 */
  refetchInterval?: number | undefined
  /** Whether to read the session when the tab becomes visible. @default true */
  refetchOnWindowFocus?: boolean | undefined
  /** Whether to poll without a network connection. @default true */
  refetchWhenOffline?: boolean | undefined
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

/**
 * Makes this the session of the page: reads it if it is unknown, again when it may have changed, and when another tab
 * signs in or out. Returns a function that ends it.
 */
export function follow(store: SessionStore, options: RefetchOptions): () => void {
  const { state, refresh } = store
  const { refetchInterval = 0, refetchOnWindowFocus = true, refetchWhenOffline = true } = options
  const listeners = new AbortController()
  let timer: ReturnType<typeof setInterval> | undefined
  let scheduled: string | undefined

  /** An unauthenticated tab reads nothing by itself. */
  const refreshIf = (condition: boolean) => {
    const { session, isUncertain } = state()
    if (condition && (session || isUncertain)) void refresh()
  }
  const schedule = () => {
    const { session, isUncertain } = state()
    const key = `${isUncertain} ${session?.expires}`
    // The same session that was read again does not postpone its expiry.
    if (key === scheduled) return
    scheduled = key
    clearInterval(timer)
    const interval = isUncertain ? MIN_INTERVAL : refetchInterval * 1000
    const wait = Math.min(timeLeft(session?.expires), interval || Infinity)
    if (wait <= MAX_INTERVAL)
      timer = setInterval(() => refreshIf(refetchWhenOffline || navigator.onLine), wait)
  }
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) void reloadIfUserChanged(store)
  }
  const onVisibilityChange = () => refreshIf(refetchOnWindowFocus && !document.hidden)
  document.addEventListener('visibilitychange', onVisibilityChange, listeners)
  globalThis.addEventListener('pageshow', onPageShow, listeners)
  // A read that began before this does not show which user is signed in when the page is restored.
  globalThis.addEventListener('pagehide', store.discardRead, listeners)

  shared.store = store
  const disconnect = store.connect()
  const unsubscribe = store.subscribe(schedule)
  schedule()
  if (state().session === undefined) void refresh()
  return () => {
    listeners.abort()
    clearInterval(timer)
    unsubscribe()
    disconnect()
    if (shared.store === store) shared.store = undefined
  }
}
