/** The session of this tab: read once, kept when a read fails, synchronized with other tabs. */
import type { Session } from '../types.ts'
import { openChannel } from './channel.ts'
import type { Channel } from './channel.ts'

export interface SessionState {
  /** `undefined`: loading. `null`: unauthenticated. */
  readonly session: Session | null | undefined
  readonly isUncertain: boolean
  readonly isUpdating: boolean
}

export interface SessionSource {
  readonly read: () => Promise<Session | null>
  readonly update: (data: unknown) => Promise<Session | null>
}

export interface SessionStore {
  readonly state: () => SessionState
  readonly subscribe: (listener: () => void) => () => void
  /** Connects to other tabs; returns a function that disconnects. */
  connect(): () => void
  /** Stores the session that the server rendered; reads it again if the server may have missed an update. */
  accept(session: Session | null): void
  /** Ignores the result of a pending read. */
  readonly discardRead: () => void
  /** Reads the session, or shares a pending read. */
  refresh(): Promise<Session | null | undefined>
  /** Reads the session after a change, and ignores the result of a pending read. */
  reload(): Promise<Session | null | undefined>
  /** Updates the session and notifies other tabs; without data, only reads it. */
  readonly update: (data?: unknown) => Promise<Session | null>
  readonly notify: () => void
}

/** Identifies the user of a session, without fields that change on every read; empty if unauthenticated. */
export function userKey(session: Session | null | undefined): string {
  return session ? JSON.stringify(session.user ?? { ...session, expires: 0 }) : ''
}

export function createStore(
  source: SessionSource,
  initial: Session | null | undefined,
): SessionStore {
  let current: SessionState = { session: initial, isUncertain: false, isUpdating: false }
  let pending: Promise<Session | null | undefined> | undefined
  let channel: Channel | undefined
  /** Incremented on each change of the session: the result of an earlier read is outdated. */
  let version = 0
  let pendingUpdates = 0
  /** The result of the last update in this tab. */
  let updated: Session | null | undefined
  const listeners = new Set<() => void>()

  function change(next: Partial<SessionState>): void {
    current = { ...current, ...next }
    for (const listener of listeners) listener()
  }

  function discardRead(): void {
    version++
    pending = undefined
  }

  function set(session: Session | null): void {
    discardRead()
    change({ session, isUncertain: false })
  }

  function notify(): void {
    channel?.send('session')
  }

  /** Unauthenticated tabs do not poll: this message reports a sign-in that left its page. */
  function announceSession(): void {
    if (current.session) channel?.send('signed-in')
  }

  async function readSession(): Promise<Session | null | undefined> {
    const versionBefore = version
    const isFirstRead = current.session === undefined
    try {
      const session = await source.read()
      if (versionBefore === version) set(session)
      if (isFirstRead) announceSession()
    } catch (error) {
      console.error(error)
      // A failed read must not sign out: the last session is kept.
      if (versionBefore === version) {
        discardRead()
        change({ session: current.session ?? null, isUncertain: true })
      }
    }
    return current.session
  }

  function refresh(): Promise<Session | null | undefined> {
    return (pending ??= readSession())
  }

  function reload(): Promise<Session | null | undefined> {
    discardRead()
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
        if (event === 'session') void reload()
        if (event === 'signed-in' && !current.session) void refresh()
      })
      announceSession()
      return () => {
        channel?.close()
        channel = undefined
      }
    },
    accept(session) {
      const mayBeOutdated = updated && updated === current.session
      set(session)
      if (mayBeOutdated) void refresh()
    },
    discardRead,
    refresh,
    reload,
    async update(data) {
      if (data === undefined) return (await reload()) ?? null
      change({ isUpdating: ++pendingUpdates > 0 })
      try {
        updated = await source.update(data)
        set(updated)
        notify()
        return updated
      } finally {
        change({ isUpdating: --pendingUpdates > 0 })
      }
    },
    notify,
  }
}
