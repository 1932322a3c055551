'use client'
import { useEffect } from 'react'
import { whoIs } from '../client/store.ts'
import type { SessionState, SessionStore } from '../client/store.ts'

/** Milliseconds between two looks that nobody asked for: after one without an answer, and at the end of a session. */
const PAUSE = 10_000

/** When to look. */
export interface Occasions {
  /** Seconds between two looks at the session; 0: never. @default 0 */
  refetchInterval?: number | undefined
  /** Whether to look when somebody comes back to the tab. @default true */
  refetchOnWindowFocus?: boolean | undefined
  /** Whether to go on looking without a network. @default true */
  refetchWhenOffline?: boolean | undefined
}

/** Milliseconds until a session is over. When it is already, the clock here is not the one of the server. */
function timeLeft(expires: string | undefined): number {
  const left = Date.parse(expires ?? '') - Date.now()
  // A second later the browser has thrown the cookie away, so that looking does not extend what has ended.
  return left > 0 ? Math.max(left + 1000, PAUSE) : Infinity
}

/**
 * Looks at the session of a page that the browser had put aside and shows again, as it was. What the server rendered
 * for somebody who is not there any more is no part of the session, so the page is loaded anew.
 */
async function lookBack(store: SessionStore): Promise<void> {
  const before = whoIs(store.state().session)
  const now = whoIs(await store.refresh())
  if (before && before !== now) globalThis.location.reload()
}

/** Looks at the session again when it may have changed, while somebody is signed in: nobody signs in by themselves. */
export function useLooks(store: SessionStore, state: SessionState, occasions: Occasions): void {
  const { refetchInterval = 0, refetchOnWindowFocus = true, refetchWhenOffline = true } = occasions
  const { session, isUncertain } = state
  const isWorthIt = Boolean(session) || isUncertain
  const interval = isUncertain ? PAUSE : refetchInterval * 1000
  const expires = session?.expires

  useEffect(() => {
    const wait = Math.min(timeLeft(expires), interval > 0 ? interval : Infinity)
    // Timers hold hardly more.
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
    // What is asked before the page is put aside is no answer to who is there when it is shown again.
    globalThis.addEventListener('pagehide', store.supersede, listeners)
    return () => listeners.abort()
  }, [store, isWorthIt, refetchOnWindowFocus])
}
