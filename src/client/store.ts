/** The session of this tab: asked for once, kept when an answer fails to come, shared with other tabs. */
import type { Session } from '../types.ts'
import { openChannel } from './channel.ts'
import type { Channel } from './channel.ts'

/** What is known of the session. */
export interface SessionState {
  /** `undefined`: not known yet. `null`: nobody is signed in. */
  readonly session: Session | null | undefined
  /** Whether the last time it was asked for, there was no answer. */
  readonly isUncertain: boolean
  /** Whether the answer to an update is awaited. */
  readonly isUpdating: boolean
}

/** Where the session is kept. */
export interface SessionSource {
  /** Asks for it. */
  readonly read: () => Promise<Session | null>
  /** Has it changed. */
  readonly update: (data: unknown) => Promise<Session | null>
}

/** The session, and what can be done with it. */
export interface SessionStore {
  readonly state: () => SessionState
  /** Calls back after each change, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void
  /** Connects to other tabs, until the returned function is called. */
  connect(): () => void
  /** Takes in what the server rendered; looks whether it did so before an update made here. */
  take(session: Session | null): void
  /** Forgets what is awaited: it is no answer to what is asked from now on. */
  readonly supersede: () => void
  /** Asks again; while an answer is awaited, it is shared. */
  refresh(): Promise<Session | null | undefined>
  /** Asks again because the session has changed: what was asked for before is no answer to that. */
  renew(): Promise<Session | null | undefined>
  /** Has the session changed, and tells the other tabs; without data, asks again. */
  readonly update: (data?: unknown) => Promise<Session | null>
  /** Tells the other tabs to ask again. */
  tell(): void
}

/** Who it is, as far as a session says; empty for nobody. What changes from read to read is no part of it. */
export function whoIs(session: Session | null | undefined): string {
  return session ? JSON.stringify(session.user ?? { ...session, expires: 0 }) : ''
}

/** A store over a source. */
export function createStore(
  source: SessionSource,
  initial: Session | null | undefined,
): SessionStore {
  let current: SessionState = { session: initial, isUncertain: false, isUpdating: false }
  let pending: Promise<Session | null | undefined> | undefined
  let channel: Channel | undefined
  /** Rises with each change of the session: an answer to a question from before it is out of date. */
  let version = 0
  let updates = 0
  /** What the last update made of the session. */
  let updated: Session | null | undefined
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

  function set(session: Session | null): void {
    supersede()
    change({ session, isUncertain: false })
  }

  /** Tabs in which nobody is signed in ask no more: this is how they hear of a sign-in that left its page. */
  function greet(): void {
    if (current.session) channel?.tell('signed-in')
  }

  async function ask(): Promise<Session | null | undefined> {
    const asked = version
    const isFirst = current.session === undefined
    try {
      const session = await source.read()
      if (asked === version) set(session)
      if (isFirst) greet()
    } catch (error) {
      console.error(error)
      // Not knowing is not being signed out: what was last known stays.
      if (asked === version) {
        supersede()
        change({ session: current.session ?? null, isUncertain: true })
      }
    }
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
      channel = openChannel((event) => {
        if (event === 'session') void renew()
        if (event === 'signed-in' && !current.session) void refresh()
      })
      greet()
      return () => {
        channel?.close()
        channel = undefined
      }
    },
    take(session) {
      const isLate = updated && updated === current.session
      set(session)
      if (isLate) void refresh()
    },
    supersede,
    refresh,
    renew,
    async update(data) {
      if (data === undefined) return (await renew()) ?? null
      change({ isUpdating: ++updates > 0 })
      try {
        updated = await source.update(data)
        set(updated)
        channel?.tell('session')
        return updated
      } finally {
        change({ isUpdating: --updates > 0 })
      }
    },
    tell: () => channel?.tell('session'),
  }
}
