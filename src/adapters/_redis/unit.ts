/** A piece of work: what it reads and writes is remembered, and written at its end all at once. */
import { revive, stringify } from './json.ts'
import type { Store, Write } from './store.ts'

/** What a piece of work can do. */
export interface Unit {
  get<T extends object>(key: string): Promise<T | null>
  set(key: string, value: object, until?: Date): void
  delete(key: string): void
}

/** A unit, and its end. */
export interface OpenUnit extends Unit {
  /** `false`: somebody else has changed what was read, and nothing is written. */
  commit(): Promise<boolean>
}

/** Somebody else wins at most once for each of these. */
const ATTEMPTS = 200

/** How long Redis keeps what is over, so that a session that has just ended is told from one that never was. */
const GRACE = 60 * 60 * 1000

/** A piece of work that is about to begin. */
export function openUnit(store: Store): OpenUnit {
  const read = new Map<string, string | null>()
  const writes = new Map<string, Write>()

  async function text(key: string): Promise<string | null> {
    const written = writes.get(key)
    if (written) return written.value
    const known = read.get(key)
    if (known !== undefined) return known
    const found = await store.get(key)
    read.set(key, found)
    return found
  }

  return {
    async get<T extends object>(key: string) {
      const found = await text(key)
      const row: T | null = found === null ? null : JSON.parse(found, revive)
      return row
    },
    set(key, value, until) {
      const end = until && Math.max(until.getTime(), Date.now()) + GRACE
      writes.set(key, { value: stringify(value), until: end })
    },
    delete: (key) => void writes.set(key, { value: null }),
    commit: async () => writes.size === 0 || store.commit(read, writes),
  }
}

/** Does a piece of work, again from its beginning when somebody else was faster. */
export async function inUnit<T>(store: Store, work: (unit: Unit) => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; left > 0; left--) {
    const unit = openUnit(store)
    const result = await work(unit)
    if (await unit.commit()) return result
  }
  throw new Error('Redis: the same rows are changed by too many at once.')
}
