/** The tables of the adapter in memory, and who may write to them when. */
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from './index.ts'

/** Rows by what makes them unique. A row is never changed, only replaced: copies of the tables share it. */
export interface Tables {
  readonly users: Map<string, AdapterUser>
  readonly accounts: Map<string, AdapterAccount>
  readonly sessions: Map<string, AdapterSession>
  readonly tokens: Map<string, VerificationToken>
  readonly authenticators: Map<string, AdapterAuthenticator>
}

/** The tables, and the queue of those who write. */
export interface Store {
  tables: Tables
  /** Settles when everything that wants to write has had its turn. Never rejects. */
  queue: Promise<unknown>
}

/** A store of its own that begins with these rows. */
export function storeOf({ users, accounts, sessions, tokens, authenticators }: Tables): Store {
  const tables = {
    users: new Map(users),
    accounts: new Map(accounts),
    sessions: new Map(sessions),
    tokens: new Map(tokens),
    authenticators: new Map(authenticators),
  }
  return { tables, queue: Promise.resolve() }
}

/** One after the other, so that nothing is written while a transaction is under way. */
export function inTurn<T>(store: Store, step: () => T | Promise<T>): Promise<T> {
  const turn = store.queue.then(step)
  store.queue = turn.catch(() => undefined)
  return turn
}

function isRow<T>(value: T): value is T & Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}

function copyOf(value: unknown): unknown {
  if (value instanceof Date) return new Date(value.getTime())
  return isRow(value) ? copyRow(value) : structuredClone(value)
}

/** A copy of an object. Rows are mostly flat, and `structuredClone` of one takes twenty times as long. */
function copyRow<T extends Record<string, unknown>>(row: T): T {
  const copy = { ...row }
  const fields: Record<string, unknown> = copy
  for (const key in copy) {
    const value: unknown = fields[key]
    if (typeof value === 'object' && value !== null) fields[key] = copyOf(value)
  }
  return copy
}

/** A copy of whatever goes in or comes out. */
function copyAny<T>(value: T): T {
  return isRow(value) ? copyRow(value) : structuredClone(value)
}

/** Reads at once. What comes out is a copy. */
export async function read<T>(store: Store, find: (tables: Tables) => T): Promise<T> {
  return copyAny(find(store.tables))
}

/** Writes when it is its turn, in one step. What goes in is copied before, and what comes out after. */
export async function write<T, Row>(
  store: Store,
  input: T,
  change: (input: T, tables: Tables) => Row,
): Promise<Row> {
  const copy = copyAny(input)
  return copyAny(await inTurn(store, () => change(copy, store.tables)))
}
