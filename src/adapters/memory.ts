import { givenFields, hasFields, formatKey, readField } from './_rows.ts'
import { adapterMethods, withTransactions } from './_methods.ts'
import type { AllMethods, FactorRows, Fields, TableRow, TableRows } from './_methods.ts'
import type { StoredRecord } from '../core/records/record-store.ts'
import { isExpectedState } from './_records.ts'
import type { RecordRows } from './_records.ts'
import { isExpectedHash } from './_passwords.ts'
import type { PasswordRows } from './_passwords.ts'
import { SCHEMA } from './_schema.ts'
import type { TableId } from './_schema.ts'
import type { Adapter } from '../core/database/adapter.ts'

/** Rows are replaced, never changed, because a transaction shares them with the committed tables. */
type MemoryTables = { readonly [Id in TableId]: Map<string, TableRow[Id]> }

interface MemoryStore {
  tables: MemoryTables
  /** Settles when all queued writes have run. Never rejects. */
  queue: Promise<unknown>
}

function createStore(tables: Partial<MemoryTables> = {}): MemoryStore {
  return {
    tables: {
      users: new Map(tables.users),
      accounts: new Map(tables.accounts),
      sessions: new Map(tables.sessions),
      verificationTokens: new Map(tables.verificationTokens),
      authenticators: new Map(tables.authenticators),
      records: new Map(tables.records),
      factors: new Map(tables.factors),
      passwords: new Map(tables.passwords),
    },
    queue: Promise.resolve(),
  }
}

/** Runs writes and transactions one at a time. */
function enqueue<T>(store: MemoryStore, step: () => T | Promise<T>): Promise<T> {
  const result = store.queue.then(step)
  store.queue = result.catch(() => undefined)
  return result
}

/** `structuredClone` alone takes twenty times as long for a flat object. */
function copyValue<T>(value: T): T
function copyValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return new Date(value.getTime())
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value)
  const copy: Record<string, unknown> = { ...value }
  for (const key in copy) copy[key] = copyValue(copy[key])
  return copy
}

function assertUser({ users }: MemoryTables, userId: string): void {
  if (!users.has(userId)) throw new Error(`MemoryAdapter: no user has the id "${userId}".`)
}

function memoryRows<Id extends TableId>(id: Id, store: MemoryStore): TableRows<TableRow[Id]> {
  type Row = TableRow[Id]
  const { key: keyFields, columns, unique = [] } = SCHEMA[id]
  const rows = (): Map<string, Row> => store.tables[id]

  function matching(fields: Fields): Row[] {
    if (!keyFields.every((field) => field in fields))
      return [...rows().values()].filter((row) => hasFields(row, fields))
    const row = rows().get(formatKey(id, fields))
    return row ? [row] : []
  }

  function assertConstraints(row: object): void {
    if ('userId' in columns) assertUser(store.tables, String(readField(row, 'userId')))
    for (const field of unique) {
      const value = readField(row, field)
      const same = typeof value === 'string' ? matching({ [field]: value }) : []
      if (same.some((other) => formatKey(id, other) !== formatKey(id, row)))
        throw new Error(`MemoryAdapter: another row in "${id}" has the same ${field}.`)
    }
  }

  return {
    hasReturning: true,
    list: async (key) => matching(key).map(copyValue),
    async insert(given) {
      const row = copyValue(given)
      return enqueue(store, () => {
        assertConstraints(row)
        if (rows().has(formatKey(id, row)))
          throw new Error(`MemoryAdapter: the key of this row already exists in "${id}".`)
        rows().set(formatKey(id, row), row)
        return copyValue(row)
      })
    },
    async update(key, given) {
      const changes = givenFields(copyValue(given))
      return enqueue(store, () => {
        const [row] = matching(key)
        if (!row) return null
        const changed = { ...row, ...changes }
        assertConstraints(changed)
        rows().set(formatKey(id, row), changed)
        return copyValue(changed)
      })
    },
    delete: (key) =>
      enqueue(store, () => {
        const deleted = matching(key)
        for (const row of deleted) rows().delete(formatKey(id, row))
        return copyValue(deleted[0] ?? null)
      }),
    deleteExpired: (before) =>
      enqueue(store, () => {
        const expired = [...rows()].filter(
          ([, row]) => 'expires' in row && row.expires instanceof Date && row.expires < before,
        )
        for (const [key] of expired) rows().delete(key)
        return expired.length
      }),
  }
}

function memoryRecords(store: MemoryStore): RecordRows {
  const matching = (field: 'key' | 'owner', values: readonly string[]): StoredRecord[] => {
    const { records } = store.tables
    if (field === 'key') return values.flatMap((key) => records.get(key) ?? [])
    return [...records.values()].filter(({ owner }) => owner !== null && values.includes(owner))
  }
  const remove = (records: readonly StoredRecord[]): number => {
    for (const { key } of records) store.tables.records.delete(key)
    return records.length
  }

  return {
    list: async (field, values) => matching(field, values).map(copyValue),
    async write(given, expected, now) {
      const record = copyValue(given)
      return enqueue(store, () => {
        const { records } = store.tables
        if (!isExpectedState(records.get(record.key), expected, now)) return false
        records.set(record.key, record)
        return true
      })
    },
    delete: async (field, values) => {
      await enqueue(store, () => remove(matching(field, values)))
    },
    deleteExpired: (before) =>
      enqueue(store, () =>
        remove([...store.tables.records.values()].filter(({ expires }) => expires < before)),
      ),
  }
}

function memoryFactors(store: MemoryStore): FactorRows {
  return {
    ...memoryRows('factors', store),
    use: (id, step) =>
      enqueue(store, () => {
        const { factors } = store.tables
        const factor = factors.get(id)
        if (!factor || (factor.lastStep ?? -1) >= step) return false
        factors.set(id, { ...factor, lastStep: step, confirmed: true })
        return true
      }),
  }
}

function memoryPasswords(store: MemoryStore): PasswordRows {
  return {
    list: async (key) => memoryRows('passwords', store).list(key),
    async write(userId, given, expected) {
      const password = copyValue(given)
      return enqueue(store, () => {
        const { passwords } = store.tables
        if (!isExpectedHash(passwords.get(userId), expected)) return false
        if (!password) passwords.delete(userId)
        else {
          assertUser(store.tables, userId)
          passwords.set(userId, { userId, ...password })
        }
        return true
      })
    },
  }
}

function createMethods(store: MemoryStore): AllMethods {
  const methods = adapterMethods({
    openTable: (id) => memoryRows(id, store),
    authenticators: memoryRows('authenticators', store),
    records: memoryRecords(store),
    factors: memoryFactors(store),
    passwords: memoryPasswords(store),
    async findWithUser<Id extends 'accounts' | 'sessions'>(id: Id, key: Fields) {
      const row: TableRow[Id] | undefined = store.tables[id].get(formatKey(id, key))
      const user = row && store.tables.users.get(row.userId)
      return user ? copyValue({ row, user }) : null
    },
  })
  return {
    ...methods,
    createUser: (user) => methods.createUser({ ...user, id: user.id || crypto.randomUUID() }),
  }
}

/**
 * Stores everything in the memory of this process, for demos and tests. Other processes, and modules reloaded in
 * development, do not share it. Next evaluates a module several times in one process: keep the adapter on `globalThis`.
 *
 * Keeps the given user ids, and expired rows until `deleteExpired`. Transactions run one at a time, and other writers
 * wait: inside a transaction, waiting for a write to this adapter is a deadlock.
 *
 * @example
 * ```ts
 * import MemoryAdapter from 'lib-auth/adapters/memory'
 *
 * export const adapter = MemoryAdapter()
 * ```
 */
export default function MemoryAdapter(): Required<Adapter> {
  const store = createStore()
  return withTransactions(createMethods(store), (work) =>
    enqueue(store, async () => {
      const draft = createStore(store.tables)
      const result = await work(createMethods(draft))
      store.tables = draft.tables
      return result
    }),
  )
}
