/** The session of this tab: read once, kept when a read fails, synchronized with other tabs. */
import type { Session } from '../../core/types.ts'
import { openChannel } from './channel.ts'
import type { Channel } from './channel.ts'

/** `undefined`: loading. `null`: unauthenticated. */
type LastSession = Session | null | undefined

export interface SessionState {
  readonly session: LastSession
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
  connect(): () => void
  /**
   * Stores the session that the server rendered; reads it again if the server may have missed an update, and notifies
   * other tabs of another user. `undefined`, and the one that was rendered before, change nothing.
   */
  accept(session: LastSession): void
  /** Ignores the result of a pending read. */
  readonly discardRead: () => void
  readonly refresh: () => Promise<LastSession>
  /** Reads the session after a change, and ignores the result of a pending read. */
  reload(): Promise<LastSession>
  /** Updates the session and notifies other tabs; without data, only reads it. */
  readonly update: (data?: unknown) => Promise<Session | null>
  readonly notify: () => void
}

/** Identifies the user of a session, without fields that change on every read; empty if unauthenticated. */
export function userKey(session: LastSession): string {
  return session ? JSON.stringify(session.user ?? { ...session, expires: 0 }) : ''
}

export function createStore(source: SessionSource, initial: LastSession): SessionStore {
  let state: SessionState = { session: initial, isUncertain: false, isUpdating: false }
  const listeners = new Set<() => void>()
  let pending: Promise<LastSession> | undefined
  let channel: Channel | undefined
  /** Incremented on each change of the session: the result of an earlier read is outdated. */
  let version = 0
  let pendingUpdates = 0
  /** The result of the last update: a page that was rendered before it replaces it with an older session. */
  let updated: LastSession
  let rendered = initial

  const change = (next: Partial<SessionState>): void => {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }
  const discardRead = (): void => {
    version++
    pending = undefined
  }
  const set = (session: Session | null, isUncertain = false): void => {
    discardRead()
    change({ session, isUncertain })
  }
  const notify = (): void => channel?.send('session')
  /** Unauthenticated tabs do not poll: this message reports a sign-in that left its page. */
  const announceSession = (): void => {
    if (state.session) channel?.send('signed-in')
  }

  async function readSession(): Promise<LastSession> {
    const versionBefore = version
    const isFirstRead = state.session === undefined
    try {
      const session = await source.read()
      if (versionBefore === version) set(session)
      if (isFirstRead) announceSession()
    } catch (error) {
      console.error(error)
      // A failed read must not sign out: the last session is kept.
      if (versionBefore === version) set(state.session ?? null, true)
    }
    return state.session
  }

  const refresh = () => (pending ??= readSession())
  const reload = () => {
    discardRead()
    return refresh()
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    discardRead,
    refresh,
    reload,
    notify,
    connect() {
      channel = openChannel((event) => {
        if (event === 'session') void reload()
        if (event === 'signed-in' && !state.session) void refresh()
      })
      announceSession()
      return () => {
        channel?.close()
        channel = undefined
      }
    },
    accept(session) {
      const before = rendered
      rendered = session
      if (before === session || session === undefined) return
      const last = state.session
      const user = userKey(session)
      set(session)
      if (updated && updated === last) void refresh()
      if (user !== userKey(before) && user !== userKey(last)) notify()
    },
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
  }
}
