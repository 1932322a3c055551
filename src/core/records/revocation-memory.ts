/** What this process remembers of the deny-list, so that not every request reads it. */
import { oncePerKey, setBounded } from '../async/cache.ts'
import { processMemory } from '../limits/process-memory.ts'
import { isBelow } from './floor.ts'
import type { Floor } from './floor.ts'

interface Reading<T> {
  readonly value: T
  /** When it was read, in milliseconds since the epoch. */
  readonly at: number
}

interface UserReadings {
  floor: Reading<Floor | null> | undefined
  readonly ended: Map<string, Reading<boolean>>
}

/** The answer of the store for one session. */
export interface SessionReading {
  readonly sid: string
  readonly ended: boolean
  readonly floor: Floor | null
  /** When the request was sent. */
  readonly at: number
}

export interface UserSession {
  readonly userId: string
  readonly sid: string
  /** When it began for {@link isBelow}. */
  readonly start: number
}

export interface RevocationMemory {
  /** Whether the session has ended; `undefined`: what is remembered of the last `seconds` before `now` does not say. */
  recall(session: UserSession, seconds: number, now: number): boolean | undefined
  /** When what is remembered of a session was read, in milliseconds since the epoch. */
  readings(userId: string, sid: string): { readonly oldest: number; readonly newest: number }
  /** Grows with each end of sessions that this process learns of. */
  changes(): number
  remember(userId: string, reading: SessionReading): void
  /** Of concurrent calls for one session, one does the work. */
  once(
    session: { readonly userId: string; readonly sid: string },
    work: () => Promise<boolean>,
  ): Promise<boolean>
  end(userId: string, sid: string): void
  raise(userId: string, floor: Floor): void
}

const MAX_USERS = 10_000
const MAX_SESSIONS = 50
const NEVER = -1

/** Shared with other copies of the library in this process, whose stores are other objects. */
function changesOfProcess(): Map<string, number> {
  return (processMemory().revocations ??= new Map<string, number>())
}

function createMemory(): RevocationMemory {
  const users = new Map<string, UserReadings>()
  const pending = new Map<string, Promise<boolean>>()
  const changes = changesOfProcess()
  const ends = (processMemory().ends ??= { count: 0 })

  function entry(userId: string): UserReadings {
    const known = users.get(userId)
    if (known) return known
    return setBounded(users, [userId, { floor: undefined, ended: new Map() }], MAX_USERS)
  }

  /** What was read then or before may be outdated. */
  const changedAt = (userId: string): number =>
    changes.size === 0 ? NEVER : (changes.get(userId) ?? NEVER)

  function change(userId: string): number {
    const now = Date.now()
    users.delete(userId)
    ends.count++
    changes.delete(userId)
    setBounded(changes, [userId, now], MAX_USERS)
    return now
  }

  return {
    recall({ userId, sid, start }, seconds, now) {
      const known = users.get(userId)
      if (!known) return undefined
      const { floor } = known
      const ended = known.ended.get(sid)
      // That a session has ended does not change.
      if (ended?.value === true) return true
      const changed = changedAt(userId)
      if (!floor || floor.at <= changed) return undefined
      if (floor.value && isBelow(floor.value, sid, start)) return true
      if (!ended || ended.at <= changed) return undefined
      const oldest = Math.min(ended.at, floor.at)
      // In the future if the clock was set back.
      const isFresh = now - oldest < seconds * 1000 && Math.max(ended.at, floor.at) <= now
      return isFresh ? false : undefined
    },

    readings(userId, sid) {
      const { floor, ended } = users.get(userId) ?? {}
      const times = [floor?.at ?? NEVER, ended?.get(sid)?.at ?? NEVER]
      return { oldest: Math.min(...times), newest: Math.max(...times) }
    },

    changes: () => ends.count,

    remember(userId, { sid, ended, floor, at }) {
      // Sessions of the user ended after the request was sent.
      if (at <= changedAt(userId)) return
      if (ended || floor) ends.count++
      const known = entry(userId)
      known.floor = { value: floor, at }
      setBounded(known.ended, [sid, { value: ended, at }], MAX_SESSIONS)
    },

    async once({ userId, sid }, work) {
      const key = JSON.stringify([userId, sid])
      const running = pending.get(key) ?? work().finally(() => void pending.delete(key))
      pending.set(key, running)
      return running
    },

    end(userId, sid) {
      const at = change(userId)
      entry(userId).ended.set(sid, { value: true, at })
    },

    raise(userId, floor) {
      const at = change(userId)
      entry(userId).floor = { value: floor, at }
    },
  }
}

/** @param store - the adapter of the records */
export const revocationMemory: (store: object) => RevocationMemory = oncePerKey(createMemory)
