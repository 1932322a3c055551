/** The tables of the memory adapter. */
import type { TableRow } from '../_methods.ts'
import type { TableId } from '../_schema.ts'

/** Rows are replaced, never changed, because a transaction shares them with the committed tables. */
export type MemoryTables = { readonly [Id in TableId]: Map<string, TableRow[Id]> }

export interface MemoryStore {
  tables: MemoryTables
  /** Settles when all queued writes have run. Never rejects. */
  queue: Promise<unknown>
}

/** A store with the same rows; without tables, an empty one. */
export function createStore(tables: Partial<MemoryTables> = {}): MemoryStore {
  return {
    tables: {
      users: new Map(tables.users),
      accounts: new Map(tables.accounts),
      sessions: new Map(tables.sessions),
      verificationTokens: new Map(tables.verificationTokens),
      authenticators: new Map(tables.authenticators),
    },
    queue: Promise.resolve(),
  }
}

/** Runs writes and transactions one at a time. */
export function enqueue<T>(store: MemoryStore, step: () => T | Promise<T>): Promise<T> {
  const result = store.queue.then(step)
  store.queue = result.catch(() => undefined)
  return result
}

function isRow<T>(value: T): value is T & Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}

function copyField(value: unknown): unknown {
  if (value instanceof Date) return new Date(value.getTime())
  return isRow(value) ? copyRow(value) : structuredClone(value)
}

/** Copies a row. `structuredClone` takes twenty times as long for a flat object. */
function copyRow<T extends Record<string, unknown>>(row: T): T {
  const copy = { ...row }
  const fields: Record<string, unknown> = copy
  for (const key in copy) {
    const value: unknown = fields[key]
    if (typeof value === 'object' && value !== null) fields[key] = copyField(value)
  }
  return copy
}

export function copyValue<T>(value: T): T {
  return isRow(value) ? copyRow(value) : structuredClone(value)
}
