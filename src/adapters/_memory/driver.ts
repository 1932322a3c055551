import type { Fields, FullDriver, TableRow, TableRows } from '../_methods.ts'
import { changedRow, hasFields } from '../_rows.ts'
import { SCHEMA } from '../_schema.ts'
import type { TableId } from '../_schema.ts'
import { copyValue, enqueue } from './store.ts'
import type { MemoryStore } from './store.ts'

function hasExpired(row: object, now: Date): boolean {
  return 'expires' in row && row.expires instanceof Date && row.expires < now
}

function memoryRows<Id extends TableId>(id: Id, store: MemoryStore): TableRows<TableRow[Id]> {
  type Row = TableRow[Id]
  const { key: keyFields, columns, unique = [] } = SCHEMA[id]
  const rows = (): Map<string, Row> => store.tables[id]

  function keyOf(row: object): string {
    const parts = keyFields.map((field): unknown => Reflect.get(row, field))
    return parts.length === 1 ? String(parts[0]) : JSON.stringify(parts)
  }

  function matching(fields: Fields): Row[] {
    if (!keyFields.every((field) => field in fields))
      return [...rows().values()].filter((row) => hasFields(row, fields))
    const row = rows().get(keyOf(fields))
    return row ? [row] : []
  }

  function assertUserExists(row: object): void {
    if (!('userId' in columns)) return
    const userId = String(Reflect.get(row, 'userId'))
    if (!store.tables.users.has(userId))
      throw new Error(`MemoryAdapter: no user has the id "${userId}".`)
  }

  function assertUnique(row: object): void {
    for (const field of unique) {
      const same = matching({ [field]: Reflect.get(row, field) })
      if (same.some((other) => keyOf(other) !== keyOf(row)))
        throw new Error(`MemoryAdapter: another row in "${id}" has the same ${field}.`)
    }
  }

  function deleteRows(deleted: readonly Row[]): void {
    for (const row of deleted) rows().delete(keyOf(row))
  }

  return {
    async insert(given) {
      const row = copyValue(given)
      return enqueue(store, () => {
        assertUserExists(row)
        assertUnique(row)
        if (rows().has(keyOf(row)))
          throw new Error(`MemoryAdapter: the key of this row already exists in "${id}".`)
        rows().set(keyOf(row), row)
        return copyValue(row)
      })
    },
    find: async (key) => copyValue(matching(key)[0] ?? null),
    list: async (key) => matching(key).map(copyValue),
    async update(key, given) {
      const changes = copyValue(given)
      return enqueue(store, () => {
        const [row] = matching(key)
        if (!row) return null
        const changed = changedRow(row, changes)
        assertUnique(changed)
        rows().set(keyOf(row), changed)
        return copyValue(changed)
      })
    },
    take: (key) =>
      enqueue(store, () => {
        const taken = matching(key)
        deleteRows(taken)
        return copyValue(taken[0] ?? null)
      }),
    remove: (key) => enqueue(store, () => deleteRows(matching(key))),
    removeExpired: (before) =>
      enqueue(store, () =>
        deleteRows([...rows().values()].filter((row) => hasExpired(row, before))),
      ),
  }
}

export function memoryDriver(store: MemoryStore): FullDriver {
  const users = memoryRows('users', store)
  const accounts = memoryRows('accounts', store)
  return {
    users,
    accounts,
    sessions: memoryRows('sessions', store),
    verificationTokens: memoryRows('verificationTokens', store),
    authenticators: memoryRows('authenticators', store),

    async findAccountOwner({ provider, providerAccountId }) {
      const account = await accounts.find({ provider, providerAccountId })
      return account && users.find({ id: account.userId })
    },

    async findSessionAndUser(sessionToken) {
      const session = store.tables.sessions.get(sessionToken)
      const user = session && store.tables.users.get(session.userId)
      return user ? copyValue({ session, user }) : null
    },
  }
}
