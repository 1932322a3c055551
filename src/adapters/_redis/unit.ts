/** Unit of work with optimistic locking: reads are recorded, and writes are committed atomically. */
import { revive, stringify } from './json.ts'
import type { ListChange, Store, Write } from './store.ts'

export interface Unit {
  get<T extends object>(key: string): Promise<T | null>
  set(key: string, value: object, until?: Date): void
  delete(key: string): void
  /** Reads a list; if another client changes it, the commit fails. `add` alone has no such conflict. */
  list(name: string): Promise<string[]>
  add(list: string, key: string, until?: Date): void
  remove(list: string, key: string): void
  /** Deletes a list and all rows that are in it at the time of the commit. */
  clear(list: string): Promise<void>
}

export interface OpenUnit extends Unit {
  /** `false`: another client changed what was read, and nothing is written. */
  commit(): Promise<boolean>
}

/** Maximum number of commits tried for one unit of work. */
const ATTEMPTS = 200

/** Maximum pause between two of them, in milliseconds. */
const PAUSE = 250

/** Retention of expired rows, in milliseconds: an expired session can be distinguished from an unknown one. */
export const GRACE: number = 60 * 60 * 1000

/** The time of deletion. A row that has already expired is kept, too, but `deleteExpired` can delete it at once. */
function endOf(until: Date): number {
  const end = Math.max(until.getTime(), Date.now() - 1) + GRACE
  if (Number.isFinite(end)) return end
  throw new Error('Redis: the expiry of a row is not a valid date.')
}

function after(keys: readonly string[], changes: readonly ListChange[]): string[] {
  const left = new Set(keys)
  for (const change of changes)
    if (change.act === 'add') left.add(change.key)
    else if (change.act === 'remove') left.delete(change.key)
    else left.clear()
  return [...left]
}

export function openUnit(store: Store): OpenUnit {
  const read = new Map<string, string | null>()
  const readLists = new Map<string, readonly string[]>()
  const changes: ListChange[] = []
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

  const changesOf = (name: string) => changes.filter(({ list }) => list === name)

  return {
    async get<T extends object>(key: string) {
      const found = await text(key)
      const row: T | null = found === null ? null : JSON.parse(found, revive)
      return row
    },
    set(key, value, until) {
      writes.set(key, { value: stringify(value), until: until && endOf(until) })
    },
    delete: (key) => void writes.set(key, { value: null }),
    async list(name) {
      const keys = readLists.get(name) ?? (await store.list(name))
      readLists.set(name, keys)
      return after(keys, changesOf(name))
    },
    add(list, key, until) {
      changes.push({ act: 'add', list, key, until: until && endOf(until) })
    },
    remove: (list, key) => void changes.push({ act: 'remove', list, key }),
    async clear(list) {
      for (const key of after(await store.list(list), changesOf(list)))
        writes.set(key, { value: null })
      changes.push({ act: 'clear', list })
    },
    commit: async () =>
      writes.size + changes.length === 0 || store.commit({ read, readLists, changes, writes }),
  }
}

function pause(time: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, time))
}

/** Runs a unit of work, and repeats it after a conflict with another client. */
export async function inUnit<T>(store: Store, work: (unit: Unit) => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // Random, because clients that retry at the same time would conflict again.
    if (attempt > 0) await pause(Math.random() * Math.min(PAUSE, 2 ** attempt))
    const unit = openUnit(store)
    const result = await work(unit)
    if (await unit.commit()) return result
  }
  throw new Error('Redis: too many concurrent transactions change the same rows.')
}
