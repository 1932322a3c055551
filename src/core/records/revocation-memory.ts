/** What this process remembers of the deny-list, so that not every request reads it. */
import { oncePerKey, setBounded } from '../async/cache.ts'
import { processMemory } from '../limits/process-memory.ts'
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

export interface RevocationMemory {
  ended(userId: string, sid: string): Reading<boolean> | undefined
  floor(userId: string): Reading<Floor | null> | undefined
  isFresh(reading: Reading<unknown> | undefined, now: number, seconds: number): boolean
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

/** Shared with other copies of the library in this process, whose stores are other objects. */
function changesOfProcess(): Map<string, number> {
  return (processMemory().revocations ??= new Map<string, number>())
}

function createMemory(): RevocationMemory {
  const users = new Map<string, UserReadings>()
  const pending = new Map<string, Promise<boolean>>()
  const changes = changesOfProcess()

  function entry(userId: string): UserReadings {
    const known = users.get(userId)
    if (known) return known
    return setBounded(users, [userId, { floor: undefined, ended: new Map() }], MAX_USERS)
  }

  /** What was read then may be outdated. */
  const isOutdated = (userId: string, at: number): boolean =>
    changes.size > 0 && at <= (changes.get(userId) ?? -1)

  function change(userId: string): number {
    const now = Date.now()
    users.delete(userId)
    changes.delete(userId)
    setBounded(changes, [userId, now], MAX_USERS)
    return now
  }

  return {
    ended(userId, sid) {
      const reading = users.get(userId)?.ended.get(sid)
      return reading && !reading.value && isOutdated(userId, reading.at) ? undefined : reading
    },

    floor(userId) {
      const reading = users.get(userId)?.floor
      return reading && isOutdated(userId, reading.at) ? undefined : reading
    },

    isFresh(reading, now, seconds) {
      const age = reading ? now - reading.at : -1
      // Negative if the clock was set back.
      return age >= 0 && age < seconds * 1000
    },

    remember(userId, { sid, ended, floor, at }) {
      // Sessions of the user ended after the request was sent.
      if (isOutdated(userId, at)) return
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
