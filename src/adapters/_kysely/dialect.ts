import { MysqlAdapter, PostgresAdapter, SqliteAdapter, sql } from 'kysely'
import type { QueryExecutorProvider, RawBuilder } from 'kysely'

/** SQL dialect of a database. */
export type DialectName = 'sqlite' | 'postgres' | 'mysql'

export interface Dialect {
  /** Also whether a `delete` has no `limit`. */
  readonly hasReturning: boolean
  encode(value: unknown): unknown
  /** Compares exactly, whatever the collation of the column. */
  isText(column: RawBuilder<unknown>, text: string): RawBuilder<unknown>
  isBefore(column: RawBuilder<unknown>, date: Date): RawBuilder<unknown>
  /** Selects a date in UTC; `null` if the driver converts it correctly. */
  readDate(column: RawBuilder<unknown>): RawBuilder<unknown> | null
}

/** Converts booleans to numbers, and objects to JSON. */
function plain(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  const isBytes = value instanceof Uint8Array || value instanceof ArrayBuffer
  return typeof value === 'object' && value !== null && !isBytes ? JSON.stringify(value) : value
}

const equals = (column: RawBuilder<unknown>, text: string) => sql`${column} = ${text}`

const inMysql = (date: Date) => date.toISOString().replace('T', ' ').replace('Z', '')

/** SQLite has no types for dates and booleans: stores ISO 8601 strings, which sort by time, and numbers. */
const sqlite: Dialect = {
  hasReturning: true,
  encode(value) {
    if (value instanceof Date) return value.toISOString()
    // D1 rejects bigint; a column of integers converts the string.
    return typeof value === 'bigint' ? String(value) : plain(value)
  },
  isText: equals,
  // Other libraries store dates in milliseconds, and in SQLite every number is less than every string.
  isBefore: (column, date) =>
    sql`((typeof(${column}) = 'text' and ${column} < ${date.toISOString()}) or (typeof(${column}) in ('integer', 'real') and ${column} < ${date.getTime()}))`,
  readDate: () => null,
}

const postgres: Dialect = {
  hasReturning: true,
  encode: (value) => value,
  // PostgreSQL rejects NUL in a string, even in a comparison.
  isText: (column, text) => (text.includes('\0') ? sql`1 = 0` : equals(column, text)),
  isBefore: (column, date) => sql`${column} < ${date}`,
  readDate: () => null,
}

/** MySQL drivers convert dates to local time, so dates are sent and received as strings in UTC. */
const mysql: Dialect = {
  hasReturning: false,
  encode: (value) => (value instanceof Date ? inMysql(value) : plain(value)),
  // The usual collations ignore case and trailing spaces. The first comparison uses the index, the second is exact.
  isText: (column, text) =>
    sql`(${column} = ${text} and cast(convert(${column} using utf8mb4) as binary) = cast(convert(${text} using utf8mb4) as binary))`,
  isBefore: (column, date) => sql`${column} < ${inMysql(date)}`,
  readDate: (column) => sql`date_format(${column}, '%Y-%m-%dT%H:%i:%s.%fZ')`,
}

const DIALECTS: Readonly<Record<DialectName, Dialect>> = { sqlite, postgres, mysql }

export function dialectOf(db: QueryExecutorProvider, name: DialectName | undefined): Dialect {
  if (typeof db?.getExecutor !== 'function')
    throw new TypeError(
      'KyselyAdapter needs an instance of Kysely 0.27 or newer as its first argument. To update: npm install kysely@latest',
    )
  if (name) return DIALECTS[name]
  const { adapter } = db.getExecutor()
  if (adapter instanceof SqliteAdapter) return sqlite
  if (adapter instanceof PostgresAdapter) return postgres
  if (adapter instanceof MysqlAdapter) return mysql
  throw new Error(
    `KyselyAdapter cannot detect the SQL dialect of the adapter ${adapter.constructor.name}. Set it: KyselyAdapter(db, { dialect: 'postgres' }), or 'sqlite', or 'mysql'.`,
  )
}
