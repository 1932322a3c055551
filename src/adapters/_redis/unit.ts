/** A piece of work: what it reads and writes is remembered, and written at its end all at once. */
import { revive, stringify } from './json.ts'
import type { ListChange, Store, Write } from './store.ts'

/** What a piece of work can do. */
export interface Unit {
  get<T extends object>(key: string): Promise<T | null>
  set(key: string, value: object, until?: Date): void
  delete(key: string): void
  /** The keys in a list; who changes it meanwhile is in the way of this work, which adding to it is not. */
  list(name: string): Promise<string[]>
  add(list: string, key: string, until?: Date): void
  remove(list: string, key: string): void
  /** Deletes a list, with all rows that are in it when this work ends. */
  clear(list: string): Promise<void>
}

/** A unit, and its end. */
export interface OpenUnit extends Unit {
  /** `false`: somebody else has changed what was read, and nothing is written. */
  commit(): Promise<boolean>
}

/** Somebody else wins at most once for each of these. */
const ATTEMPTS = 200

/** The longest pause before the next of them, in milliseconds. */
const PAUSE = 250

/** How long Redis keeps what is over, so that a session that has just ended is told from one that never was. */
export const GRACE: number = 60 * 60 * 1000

/** When Redis may forget what is over at a time. Before now is soon enough for whoever deletes it now. */
function endOf(until: Date): number {
  const end = Math.max(until.getTime(), Date.now() - 1) + GRACE
  if (Number.isFinite(end)) return end
  throw new Error('Redis: the expiry of a row is not a valid date.')
}

/** The keys in a list after changes of it. */
function after(keys: readonly string[], changes: readonly ListChange[]): string[] {
  const left = new Set(keys)
  for (const change of changes)
    if (change.act === 'add') left.add(change.key)
    else if (change.act === 'remove') left.delete(change.key)
    else left.clear()
  return [...left]
}

/** A piece of work that is about to begin. */
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

/** Does a piece of work, again from its beginning when somebody else was faster. */
export async function inUnit<T>(store: Store, work: (unit: Unit) => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // At the same moment as all others it would be too late again.
    if (attempt > 0) await pause(Math.random() * Math.min(PAUSE, 2 ** attempt))
    const unit = openUnit(store)
    const result = await work(unit)
    if (await unit.commit()) return result
  }
  throw new Error('Redis: too many concurrent transactions change the same rows.')
}
