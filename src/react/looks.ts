'use client'
import { useEffect } from 'react'
import { whoIs } from '../client/store.ts'
import type { SessionState, SessionStore } from '../client/store.ts'

/** Minimum between automatic reads, in milliseconds: after a failed read, and when a session expires. */
const PAUSE = 10_000

/** Options for reading the session again. */
export interface Occasions {
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
  return left > 0 ? Math.max(left + 1000, PAUSE) : Infinity
}

/**
 * Reloads a page from the back-forward cache if the user has changed, because it can contain data of the previous one.
 */
async function lookBack(store: SessionStore): Promise<void> {
  const before = whoIs(store.state().session)
  const now = whoIs(await store.refresh())
  if (before && before !== now) globalThis.location.reload()
}

/** Reads the session when it may have changed. An unauthenticated tab does not poll. */
export function useLooks(store: SessionStore, state: SessionState, occasions: Occasions): void {
  const { refetchInterval = 0, refetchOnWindowFocus = true, refetchWhenOffline = true } = occasions
  const { session, isUncertain } = state
  const isWorthIt = Boolean(session) || isUncertain
  const interval = isUncertain ? PAUSE : refetchInterval * 1000
  const expires = session?.expires

  useEffect(() => {
    const wait = Math.min(timeLeft(expires), interval > 0 ? interval : Infinity)
    // The maximum of a timer is about 2^31 milliseconds.
    if (!isWorthIt || wait > 2e9) return undefined
    const look = () => {
      if (refetchWhenOffline || navigator.onLine) void store.refresh()
    }
    const timer = setInterval(look, wait)
    return () => clearInterval(timer)
  }, [store, isWorthIt, interval, expires, refetchWhenOffline])

  useEffect(() => {
    const listeners = new AbortController()
    const look = () => {
      if (!document.hidden) void store.refresh()
    }
    if (isWorthIt && refetchOnWindowFocus)
      document.addEventListener('visibilitychange', look, listeners)
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void lookBack(store)
    }
    globalThis.addEventListener('pageshow', comeBack, listeners)
    // A read that began before this does not show which user is signed in when the page is restored.
    globalThis.addEventListener('pagehide', store.supersede, listeners)
    return () => listeners.abort()
  }, [store, isWorthIt, refetchOnWindowFocus])
}
