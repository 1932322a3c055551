/** Unit of work with optimistic locking: reads are recorded, and writes are committed atomically. */
import type { Command, Store } from './store.ts'

export interface UnitOfWork {
  get<T extends object>(key: string): Promise<T | null>
  set(key: string, value: object, until?: Date): void
  delete(key: string): void
  /** Reads a list; if another client changes it, the commit fails. `addToList` alone has no such conflict. */
  list(name: string): Promise<string[]>
  addToList(list: string, key: string, until?: Date): void
  removeFromList(list: string, key: string): void
  /** Deletes a list and all rows that are in it at the time of the commit. */
  clearList(list: string): Promise<void>
  /** Writes nothing and returns `false` if another client has changed what was read. */
  commit(): Promise<boolean>
}

const MAX_COMMITS = 200
/** Between two commits, in milliseconds. */
const MAX_PAUSE = 250

/** Retention of expired rows, in milliseconds: an expired session can be distinguished from an unknown one. */
export const GRACE: number = 60 * 60 * 1000

const DATE = '$date'

/** Properties of the application that look like the marker of a date; each is escaped with another `$`. */
const LIKE_DATE = /^\$+date$/

function renameKeys(object: object, rename: (key: string) => string): Record<string, unknown> {
  const entries = Object.entries(object)
  return Object.fromEntries(
    entries.map(([key, value]) => [LIKE_DATE.test(key) ? rename(key) : key, value]),
  )
}

export function reviveDate(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (DATE in value && typeof value[DATE] === 'number') return new Date(value[DATE])
  return renameKeys(value, (key) => key.slice(1))
}

/** Marks dates before `toJSON` turns them into strings. */
function markDates(value: unknown): unknown {
  if (value instanceof Date) return { [DATE]: value.getTime() }
  if (Array.isArray(value)) return value.map(markDates)
  if (typeof value !== 'object' || value === null) return value
  const marked = renameKeys(value, (key) => `$${key}`)
  for (const key in marked) marked[key] = markDates(marked[key])
  return marked
}

/** The time of deletion. A row that has already expired is kept, too, but `deleteExpired` can delete it at once. */
function deletionTime(until: Date | undefined): string {
  if (!until) return 'inf'
  const end = Math.max(until.getTime(), Date.now() - 1) + GRACE
  if (Number.isFinite(end)) return String(end)
  throw new Error('RedisAdapter: the expiry of a row is not a valid date.')
}

export function openUnitOfWork(store: Store): UnitOfWork {
  const read = new Map<string, string | null>()
  const readLists = new Map<string, readonly string[]>()
  const listChanges: Command[] = []
  const writes = new Map<string, Command>()

  function* commands(): Generator<Command> {
    for (const [key, text] of read) yield ['same', key, text ?? '']
    for (const [list, keys] of readLists) yield ['list', list, keys.join('\0')]
    yield* listChanges
    yield* writes.values()
  }

  async function readText(key: string): Promise<string | null> {
    const written = writes.get(key)
    if (written) return written[2] ?? null
    const text = read.get(key)
    if (text !== undefined) return text
    const stored = await store.get(key)
    read.set(key, stored)
    return stored
  }

  function changedList(list: string, stored: readonly string[]): string[] {
    const keys = new Set(stored)
    for (const [name, changed, key = ''] of listChanges)
      if (changed !== list) continue
      else if (name === 'add') keys.add(key)
      else if (name === 'remove') keys.delete(key)
      else keys.clear()
    return [...keys]
  }

  return {
    async get<T extends object>(key: string) {
      const text = await readText(key)
      const row: T | null = text === null ? null : JSON.parse(text, reviveDate)
      return row
    },
    set: (key, value, until) =>
      void writes.set(key, ['set', key, JSON.stringify(markDates(value)), deletionTime(until)]),
    delete: (key) => void writes.set(key, ['delete', key]),
    async list(name) {
      const stored = readLists.get(name) ?? (await store.list(name))
      readLists.set(name, stored)
      return changedList(name, stored)
    },
    addToList: (list, key, until) => void listChanges.push(['add', list, key, deletionTime(until)]),
    removeFromList: (list, key) => void listChanges.push(['remove', list, key]),
    async clearList(list) {
      for (const key of changedList(list, await store.list(list))) writes.set(key, ['delete', key])
      listChanges.push(['clear', list])
    },
    commit: async () => writes.size + listChanges.length === 0 || store.commit(commands()),
  }
}

/** Repeats the work after a conflict with another client. */
export async function runUnitOfWork<T>(
  store: Store,
  work: (unit: UnitOfWork) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; attempt < MAX_COMMITS; attempt++) {
    // Random, because clients that retry at the same time would conflict again.
    const pause = Math.random() * Math.min(MAX_PAUSE, 2 ** attempt)
    if (attempt > 0) await new Promise((resolve) => void setTimeout(resolve, pause))
    const unit = openUnitOfWork(store)
    const result = await work(unit)
    if (await unit.commit()) return result
  }
  throw new Error('RedisAdapter: too many concurrent transactions change the same rows.')
}
