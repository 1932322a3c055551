'use client'
import { useEffect } from 'react'
import { userKey } from '../client/store.ts'
import type { SessionState, SessionStore } from '../client/store.ts'

/** Minimum between automatic reads, in milliseconds: after a failed read, and when a session expires. */
const MIN_INTERVAL = 10_000

/** Options for reading the session again. */
export interface RefreshOptions {
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

/**
 * Reloads a page from the back-forward cache if the user has changed, because it can contain data of the previous one.
 */
async function reloadIfUserChanged(store: SessionStore): Promise<void> {
  const previous = userKey(store.state().session)
  const current = userKey(await store.refresh())
  if (previous && previous !== current) globalThis.location.reload()
}

/** Reads the session when it may have changed. An unauthenticated tab does not poll. */
export function useRefresh(
  store: SessionStore,
  state: SessionState,
  options: RefreshOptions,
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
