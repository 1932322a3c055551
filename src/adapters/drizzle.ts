import { parseIntegerId, givenFields, hasFields, isUuid, plainRow, readField } from './_rows.ts'
import { and, eq, getTableColumns, inArray, lt, sql } from 'drizzle-orm'
import type { AnyColumn, SQL, Table } from 'drizzle-orm'
import { changeRows, NO_DATABASE, asQuery, queryRows, runQuery } from './_drizzle.ts'
import type { DrizzleDatabase } from './_drizzle.ts'
import { drizzleFactors } from './_drizzle-factors.ts'
import { drizzlePasswords } from './_drizzle-passwords.ts'
import { drizzleRecords } from './_drizzle-records.ts'
import { adapterMethods, withTransactions } from './_methods.ts'
import type { Driver, Fields, RowWithUser, TableRow, TableRows } from './_methods.ts'
import { OPTIONAL_TABLES, SCHEMA, usesTable } from './_schema.ts'
import type { OptionalTable, StoreOf, TableId } from './_schema.ts'
import type {
  Adapter,
  AdapterAuthenticator,
  AdapterUser,
  StoredFactor,
  StoredPassword,
  StoredRecord,
} from '../core/database/adapter.ts'
import type { ColumnLimit } from '../core/database/column-limit.ts'
import { columnLimits } from '../core/symbols.ts'

export type { DrizzleDatabase } from './_drizzle.ts'
export type { OptionalTable, StoreOf } from './_schema.ts'

/** A Drizzle table with these columns. */
export type DrizzleTable<Field extends string> = Table & Readonly<Record<Field, AnyColumn>>

/** The Drizzle tables. Their properties are named after the fields; their columns can have any names. */
export interface DrizzleTables {
  readonly users: DrizzleTable<'id' | 'name' | 'email' | 'emailVerified' | 'image'>
  readonly accounts: DrizzleTable<'userId' | 'type' | 'provider' | 'providerAccountId'>
  readonly sessions: DrizzleTable<'sessionToken' | 'userId' | 'expires'>
  readonly verificationTokens: DrizzleTable<'identifier' | 'token' | 'expires'>
  /** Required for passkeys. The columns `name`, `lastUsed` and `created` are used if they exist. */
  readonly authenticators?:
    DrizzleTable<Exclude<keyof AdapterAuthenticator, 'name' | 'lastUsed' | 'created'>> | undefined
}

/** The optional tables; without the option `with`, they may be tables of the application. */
export interface OptionalDrizzleTables {
  readonly records: DrizzleTable<keyof StoredRecord>
  readonly factors: DrizzleTable<keyof StoredFactor>
  readonly passwords: DrizzleTable<keyof StoredPassword>
}

/** The tables for the option `with`: `DrizzleTablesWith<'records'>` for `with: ['records']`. */
export type DrizzleTablesWith<Name extends OptionalTable> = DrizzleTables &
  Pick<OptionalDrizzleTables, Name>

function isIntegerColumn({ dataType }: AnyColumn): boolean {
  return dataType === 'number' || dataType === 'bigint'
}

/** Converts a value to the type of a column; `null` if the column cannot contain it, which some databases reject. */
function encodeKey(column: AnyColumn, key: string): string | number | bigint | null {
  const { dataType, columnType } = column
  if (typeof key !== 'string') return null
  if (columnType === 'PgUUID') return isUuid(key) ? key : null
  if (dataType === 'string') return columnType.startsWith('Pg') && key.includes('\0') ? null : key
  if (!isIntegerColumn(column)) return key
  const id = parseIntegerId(key)
  if (dataType === 'number') return typeof id === 'bigint' ? null : id
  return id === null ? null : BigInt(id)
}

function findColumn(table: Table, field: string): AnyColumn {
  const columns: Readonly<Record<string, AnyColumn>> = getTableColumns(table)
  const column = columns[field]
  if (column) return column
  throw new Error(
    `DrizzleAdapter: a table has no column "${field}". Run: npx lib-auth schema --adapter drizzle`,
  )
}

function matches(table: Table, key: Fields): SQL | undefined {
  const parts = Object.entries(key).map(([field, value]) => {
    const column = findColumn(table, field)
    const encoded = encodeKey(column, value)
    return encoded === null ? sql`1 = 0` : eq(column, encoded)
  })
  return and(...parts)
}

function drizzleRows<Id extends TableId>(
  id: Id,
  db: DrizzleDatabase,
  table: Table,
): TableRows<TableRow[Id]> {
  type Row = TableRow[Id]
  const keyFields = SCHEMA[id].key
  const encode = (row: object) => givenFields(row, getTableColumns(table))

  async function list(key: Fields): Promise<Row[]> {
    const rows = await queryRows<Row>(asQuery(db.select()).from(table).where(matches(table, key)))
    return rows.map(plainRow).filter((row) => hasFields(row, key))
  }

  return {
    hasReturning: asQuery(db.delete(table)).returning !== undefined,
    list,

    async insert(row) {
      const isGenerated = id === 'users' && isIntegerColumn(findColumn(table, 'id'))
      const values = encode(isGenerated ? { ...row, id: undefined } : row)
      const insert = asQuery(db.insert(table)).values(values)
      const [written] = await queryRows<Row>(
        insert.returning?.() ?? insert.$returningId?.() ?? insert,
      )
      if (written && insert.returning) return plainRow(written)
      const named = new Map(Object.entries({ ...written, ...values }))
      const key = keyFields.map((field) => [field, String(named.get(field))])
      const [stored] = await list(Object.fromEntries(key))
      if (stored) return stored
      throw new Error('DrizzleAdapter: the row that was written cannot be read back.')
    },

    async update(key, changes) {
      const values = encode(changes)
      if (Object.keys(values).length === 0) return 0
      return changeRows<Row>(asQuery(db.update(table)).set(values).where(matches(table, key)))
    },

    delete: (key) => changeRows<Row>(asQuery(db.delete(table)).where(matches(table, key))),

    async deleteExpired(before, limit) {
      const isExpired = lt(findColumn(table, 'expires'), before)
      // The last column of each key is the most selective one.
      const field = keyFields.at(-1) ?? ''
      const rows = await queryRows(asQuery(db.select()).from(table).where(isExpired).limit(limit))
      const keys = rows.map((row) => readField(row, field))
      const isListed = and(isExpired, inArray(findColumn(table, field), keys))
      if (keys.length > 0) await runQuery(asQuery(db.delete(table)).where(isListed))
      return rows.length
    },
  }
}

/** The optional tables that are used. */
function usedTables(
  tables: Partial<OptionalDrizzleTables>,
  optional: DrizzleAdapterOptions['with'],
): Partial<OptionalDrizzleTables> {
  const used = OPTIONAL_TABLES.filter((id) => usesTable('DrizzleAdapter', optional, id))
  const missing = used.find((id) => !tables[id])
  if (missing !== undefined)
    throw new TypeError(
      `DrizzleAdapter: the table ${missing} is missing, which the option with: ['${missing}'] requires. To print it, run: npx lib-auth schema --adapter drizzle --with ${missing}`,
    )
  return Object.fromEntries(used.map((id) => [id, tables[id]]))
}

function drizzleDriver(
  db: DrizzleDatabase,
  tables: DrizzleTables,
  optional: Partial<OptionalDrizzleTables>,
): Driver {
  const { users, authenticators } = tables

  function open<Id extends OptionalTable, Rows>(
    id: Id,
    openRows: (
      database: DrizzleDatabase,
      table: OptionalDrizzleTables[Id],
      rows: TableRows<TableRow[Id]>,
      matching: (key: Fields) => SQL | undefined,
    ) => Rows,
  ): Rows | null {
    const table: OptionalDrizzleTables[Id] | undefined = optional[id]
    if (!table) return null
    return openRows(db, table, drizzleRows(id, db, table), (key) => matches(table, key))
  }

  return {
    openTable: (id) => drizzleRows(id, db, tables[id]),
    authenticators: authenticators ? drizzleRows('authenticators', db, authenticators) : null,
    records: open('records', drizzleRecords),
    factors: open('factors', drizzleFactors),
    passwords: open('passwords', drizzlePasswords),

    async findWithUser<Id extends 'accounts' | 'sessions'>(id: Id, key: Fields) {
      const table = tables[id]
      const joined = asQuery(db.select({ row: table, user: users }))
        .from(table)
        .innerJoin(users, eq(users.id, table.userId))
        .where(matches(table, key))
      const rows = await queryRows<RowWithUser<TableRow[Id]>>(joined)
      const found = rows.find(({ row }) => hasFields(row, key))
      return found ? { row: plainRow(found.row), user: plainRow<AdapterUser>(found.user) } : null
    },
  }
}

/** Options of {@link DrizzleAdapter}. */
export interface DrizzleAdapterOptions {
  /**
   * `false` for databases without transactions, such as D1 and Neon over HTTP: a failed sign-up is undone step by step.
   * @default `true`, except for synchronous drivers
   */
  readonly transactions?: boolean | undefined
  /**
   * Optional tables to use: `records`, for example to count attempts for all processes, `factors` for second factors,
   * and `passwords`. @default none
   */
  readonly with?: readonly OptionalTable[] | undefined
}

/**
 * Stores users, accounts and sessions with Drizzle: PostgreSQL, SQLite, MySQL and MariaDB, libSQL, PGlite, D1. The
 * application owns the connection and the tables, which can have any names. `npx lib-auth schema --adapter drizzle`
 * prints the default tables. Additional columns are filled from the fields of the same name.
 *
 * Date columns must return `Date` objects with milliseconds (`timestamp` with `mode: 'date'`, `precision: 3`), not
 * strings. A session is read with one statement. Passkeys require `authenticators`.
 *
 * @throws TypeError when `db` is not a database of drizzle-orm, or `with` contains another name than those of the optional tables
 * @example
 * ```ts
 * import { drizzle } from 'drizzle-orm/node-postgres'
 * import DrizzleAdapter from 'lib-auth/adapters/drizzle'
 * import type { DrizzleTables } from 'lib-auth/adapters/drizzle'
 *
 * // As printed by: npx lib-auth schema --adapter drizzle
 * declare const tables: DrizzleTables
 *
 * export const adapter = DrizzleAdapter(drizzle(process.env.DATABASE_URL ?? ''), tables)
 * ```
 */
export default function DrizzleAdapter<Name extends OptionalTable>(
  db: DrizzleDatabase,
  tables: DrizzleTablesWith<Name>,
  options: DrizzleAdapterOptions & { readonly with: readonly [Name, ...Name[]] },
): Adapter & StoreOf<Name>
export default function DrizzleAdapter(
  db: DrizzleDatabase,
  tables: DrizzleTables,
  options?: DrizzleAdapterOptions,
): Adapter
export default function DrizzleAdapter(
  db: DrizzleDatabase,
  tables: DrizzleTables & Partial<OptionalDrizzleTables>,
  options: DrizzleAdapterOptions = {},
): Adapter {
  const methods = ['select', 'insert', 'update', 'delete', 'transaction'] as const
  if (!methods.every((method) => typeof db?.[method] === 'function'))
    throw new TypeError(NO_DATABASE)
  // A transaction of a synchronous driver cannot await anything.
  const isSync = 'resultKind' in db && db.resultKind === 'sync'
  const { transactions = !isSync, with: optional } = options
  const used = usedTables(tables, optional)
  const createMethods = (database: DrizzleDatabase) =>
    adapterMethods(drizzleDriver(database, tables, used))
  const forDoctor = {
    [columnLimits]: async (id: ColumnLimit['table']) =>
      (await import('./_drizzle-limits.ts')).findColumnLimits(id, tables[id]),
  }
  if (!transactions) return { ...createMethods(db), ...forDoctor }
  const adapter = withTransactions(createMethods(db), async (work) =>
    db.transaction((transaction) => work(createMethods(transaction))),
  )
  return { ...adapter, ...forDoctor }
}
