/** The session of this tab: asked for once, kept when an answer fails to come, shared with other tabs. */
import type { Session } from '../types.ts'
import { openChannel } from './channel.ts'
import type { Channel } from './channel.ts'
import type { Client } from './types.ts'

/** What is known of the session. */
export interface SessionState {
  /** `undefined`: not known yet. `null`: nobody is signed in. */
  readonly session: Session | null | undefined
  /** Whether the last time it was asked for, there was no answer. */
  readonly isUncertain: boolean
  /** Whether the answer to an update is awaited. */
  readonly isUpdating: boolean
}

/** The session, and what can be done with it. */
export interface SessionStore {
  readonly state: () => SessionState
  /** Calls back after each change, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void
  /** Connects to other tabs, until the returned function is called. */
  connect(): () => void
  /** Takes in what the server rendered. */
  set(session: Session | null): void
  /** Asks again; while an answer is awaited, it is shared. */
  refresh(): Promise<Session | null | undefined>
  /** Asks again because the session has changed: what was asked for before is no answer to that. */
  renew(): Promise<Session | null | undefined>
  /** Has the session changed, and tells the other tabs. */
  update(data: unknown): Promise<Session | null>
  /** Tells the other tabs to ask again. */
  tell(): void
}

/** A store over a client. */
export function createStore(
  client: () => Client,
  initial: Session | null | undefined,
): SessionStore {
  let current: SessionState = { session: initial, isUncertain: false, isUpdating: false }
  let pending: Promise<Session | null | undefined> | undefined
  let channel: Channel | undefined
  /** Rises with each change of the session: an answer to a question from before it is out of date. */
  let version = 0
  let updates = 0
  const listeners = new Set<() => void>()

  function change(next: Partial<SessionState>): void {
    current = { ...current, ...next }
    for (const listener of listeners) listener()
  }

  /** Forgets what is awaited: the session is no longer the one that was asked for. */
  function supersede(): void {
    version++
    pending = undefined
  }

  async function ask(): Promise<Session | null | undefined> {
    const asked = version
    try {
      const session = await client().getSession()
      if (asked === version) change({ session, isUncertain: false })
    } catch (error) {
      console.error(error)
      // Not knowing is not being signed out: what was last known stays.
      const session = current.session ?? null
      if (asked === version) change({ session, isUncertain: true })
    }
    if (asked === version) pending = undefined
    return current.session
  }

  function refresh(): Promise<Session | null | undefined> {
    pending ??= ask()
    return pending
  }

  function renew(): Promise<Session | null | undefined> {
    supersede()
    return refresh()
  }

  return {
    state: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    connect() {
      channel = openChannel(() => void renew())
      return () => {
        channel?.close()
        channel = undefined
      }
    },
    set(session) {
      supersede()
      change({ session, isUncertain: false })
    },
    refresh,
    renew,
    async update(data) {
      change({ isUpdating: ++updates > 0 })
      try {
        const session = await client().update(data)
        supersede()
        change({ session, isUncertain: false })
        channel?.tell()
        return session
      } finally {
        change({ isUpdating: --updates > 0 })
      }
    },
    tell: () => channel?.tell(),
  }
}
