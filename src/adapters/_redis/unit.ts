/** Unit of work with optimistic locking: reads are recorded, and writes are committed atomically. */
import { revive, stringify } from './json.ts'
import type { Command, Store } from './store.ts'

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

/** Maximum number of commits tried for one unit of work. */
const ATTEMPTS = 200

/** Maximum pause between two of them, in milliseconds. */
const PAUSE = 250

/** Retention of expired rows, in milliseconds: an expired session can be distinguished from an unknown one. */
export const GRACE: number = 60 * 60 * 1000

/** The time of deletion. A row that has already expired is kept, too, but `deleteExpired` can delete it at once. */
function deletionTime(until: Date | undefined): string {
  if (!until) return 'inf'
  const end = Math.max(until.getTime(), Date.now() - 1) + GRACE
  if (Number.isFinite(end)) return String(end)
  throw new Error('RedisAdapter: the expiry of a row is not a valid date.')
}

function applyChanges(keys: readonly string[], changes: readonly Command[]): string[] {
  const changed = new Set(keys)
  for (const [name, , key = ''] of changes)
    if (name === 'add') changed.add(key)
    else if (name === 'remove') changed.delete(key)
    else changed.clear()
  return [...changed]
}

/** Begins a unit of work. If another client changes what was read, `commit` writes nothing and returns `false`. */
export function openUnit(store: Store): Unit & { commit(): Promise<boolean> } {
  const read = new Map<string, string | null>()
  const readLists = new Map<string, readonly string[]>()
  const changes: Command[] = []
  const writes = new Map<string, Command>()

  function* commands(): Generator<Command> {
    for (const [key, text] of read) yield text === null ? ['none', key] : ['same', key, text]
    for (const [list, keys] of readLists) yield ['list', list, JSON.stringify(keys)]
    yield* changes
    yield* writes.values()
  }

  async function readText(key: string): Promise<string | null> {
    const written = writes.get(key)
    if (written) return written[2] ?? null
    const before = read.get(key)
    if (before !== undefined) return before
    const text = await store.get(key)
    read.set(key, text)
    return text
  }

  const changesOf = (name: string) => changes.filter(([, list]) => list === name)

  return {
    async get<T extends object>(key: string) {
      const text = await readText(key)
      const row: T | null = text === null ? null : JSON.parse(text, revive)
      return row
    },
    set: (key, value, until) =>
      void writes.set(key, ['set', key, stringify(value), deletionTime(until)]),
    delete: (key) => void writes.set(key, ['delete', key]),
    async list(name) {
      const keys = readLists.get(name) ?? (await store.list(name))
      readLists.set(name, keys)
      return applyChanges(keys, changesOf(name))
    },
    add: (list, key, until) => void changes.push(['add', list, key, deletionTime(until)]),
    remove: (list, key) => void changes.push(['remove', list, key]),
    async clear(list) {
      for (const key of applyChanges(await store.list(list), changesOf(list)))
        writes.set(key, ['delete', key])
      changes.push(['clear', list])
    },
    commit: async () => writes.size + changes.length === 0 || store.commit(commands()),
  }
}

function pause(time: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, time))
}

/** Runs a unit of work, and repeats it after a conflict with another client. */
export async function runUnit<T>(store: Store, work: (unit: Unit) => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // Random, because clients that retry at the same time would conflict again.
    if (attempt > 0) await pause(Math.random() * Math.min(PAUSE, 2 ** attempt))
    const unit = openUnit(store)
    const result = await work(unit)
    if (await unit.commit()) return result
  }
  throw new Error('RedisAdapter: too many concurrent transactions change the same rows.')
}
