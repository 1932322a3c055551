import { and, eq, getTableColumns, inArray, lt, sql } from 'drizzle-orm'
import type { AnyColumn, SQL, Table } from 'drizzle-orm'
import { inBatches } from '../_batches.ts'
import { countedId, isUuid } from '../_id.ts'
import type { Driver, Fields, TableRow, TableRows } from '../_methods.ts'
import { hasFields, plainRow } from '../_rows.ts'
import { SCHEMA } from '../_schema.ts'
import type { TableId } from '../_schema.ts'
import type { DrizzleTables } from '../drizzle.ts'
import type { AdapterUser } from '../index.ts'
import { countOf, query, queryRows, runQuery } from './query.ts'
import type { DrizzleDatabase, Query } from './query.ts'

/** Converts a value to the type of a column; `null` if the column cannot contain it, which some databases reject. */
function encodeKey(column: AnyColumn, key: string): string | number | bigint | null {
  const { dataType, columnType } = column
  if (typeof key !== 'string') return null
  if (columnType === 'PgUUID') return isUuid(key) ? key : null
  if (dataType === 'string') return columnType.startsWith('Pg') && key.includes('\0') ? null : key
  if (!isCounted(column)) return key
  const id = countedId(key)
  if (dataType === 'number') return typeof id === 'bigint' ? null : id
  return id === null ? null : BigInt(id)
}

function isCounted({ dataType }: AnyColumn): boolean {
  return dataType === 'number' || dataType === 'bigint'
}

function columnsOf(table: Table) {
  const columns: Readonly<Record<string, AnyColumn>> = getTableColumns(table)

  function column(field: string): AnyColumn {
    const found = columns[field]
    if (found) return found
    throw new Error(
      `DrizzleAdapter: a table has no column "${field}". Run: npx lib-auth schema --adapter drizzle`,
    )
  }

  function matches(key: Fields): SQL | undefined {
    const parts = Object.entries(key).map(([field, value]) => {
      const encoded = encodeKey(column(field), value)
      return encoded === null ? sql`1 = 0` : eq(column(field), encoded)
    })
    return and(...parts)
  }

  /** Drops fields without a column. */
  function encode(row: object): object {
    const stored = Object.entries(row).filter(
      ([field, value]) => field in columns && value !== undefined,
    )
    return Object.fromEntries(stored)
  }

  return { column, matches, encode }
}

function drizzleRows<Id extends TableId>(
  id: Id,
  db: DrizzleDatabase,
  table: Table,
): TableRows<TableRow[Id]> {
  type Row = TableRow[Id]
  const { column, matches, encode } = columnsOf(table)
  const keyFields = SCHEMA[id].key

  async function list(key: Fields): Promise<Row[]> {
    const rows = await queryRows<Row>(query(db.select()).from(table).where(matches(key)))
    return rows.map(plainRow)
  }

  async function find(key: Fields): Promise<Row | null> {
    return (await list(key)).find((row) => hasFields(row, key)) ?? null
  }

  async function first(built: Query): Promise<Row | null> {
    const [row] = await queryRows<Row>(built)
    return row ? plainRow(row) : null
  }

  return {
    list,
    find,

    async insert(row) {
      const isGenerated = id === 'users' && isCounted(column('id'))
      const values = encode(isGenerated ? { ...row, id: undefined } : row)
      const insert = query(db.insert(table)).values(values)
      const inserted = insert.returning && (await first(insert.returning()))
      if (inserted) return inserted
      const [generated] = await queryRows(insert.$returningId?.() ?? insert)
      const named = new Map(Object.entries({ ...generated, ...values }))
      const key = keyFields.map((field) => [field, String(named.get(field))])
      const stored = await find(Object.fromEntries(key))
      if (stored) return stored
      throw new Error('DrizzleAdapter: a written row cannot be read back.')
    },

    async update(key, changes) {
      const values = encode(changes)
      if (Object.keys(values).length === 0) return find(key)
      const update = query(db.update(table)).set(values).where(matches(key))
      if (update.returning) return first(update.returning())
      await runQuery(update)
      return find(key)
    },

    async take(key) {
      const remove = query(db.delete(table)).where(matches(key))
      if (remove.returning) return first(remove.returning())
      const row = await find(key)
      return row && (await countOf(remove)) > 0 ? row : null
    },

    async remove(key) {
      await runQuery(query(db.delete(table)).where(matches(key)))
    },

    async removeExpired(before) {
      const isExpired = lt(column('expires'), before)
      // The most selective column of the key.
      const field = keyFields.at(-1) ?? ''
      await inBatches(async (limit) => {
        const rows = await queryRows(query(db.select()).from(table).where(isExpired).limit(limit))
        const keys = rows.map((row): unknown => Reflect.get(row, field))
        if (keys.length > 0)
          await runQuery(
            query(db.delete(table)).where(and(isExpired, inArray(column(field), keys))),
          )
        return rows.length
      })
    },
  }
}

/** The tables over a database or a transaction. */
export function drizzleDriver(db: DrizzleDatabase, tables: DrizzleTables): Driver {
  async function findWithUser<Id extends 'accounts' | 'sessions'>(
    id: Id,
    key: Fields,
  ): Promise<{ row: TableRow[Id]; user: AdapterUser } | null> {
    const { users, [id]: table } = tables
    const joined = query(db.select({ row: table, user: users }))
      .from(table)
      .innerJoin(users, eq(users.id, table.userId))
      .where(columnsOf(table).matches(key))
    const rows = await queryRows<{ row: TableRow[Id]; user: AdapterUser }>(joined)
    const found = rows.find(({ row }) => hasFields(row, key))
    return found ? { row: plainRow(found.row), user: plainRow(found.user) } : null
  }

  return {
    users: drizzleRows('users', db, tables.users),
    accounts: drizzleRows('accounts', db, tables.accounts),
    sessions: drizzleRows('sessions', db, tables.sessions),
    verificationTokens: drizzleRows('verificationTokens', db, tables.verificationTokens),
    authenticators: tables.authenticators
      ? drizzleRows('authenticators', db, tables.authenticators)
      : null,
    async findAccountOwner({ provider, providerAccountId }) {
      const found = await findWithUser('accounts', { provider, providerAccountId })
      return found && found.user
    },
    async findSessionAndUser(sessionToken) {
      const found = await findWithUser('sessions', { sessionToken })
      return found && { session: found.row, user: found.user }
    },
  }
}
