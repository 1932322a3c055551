/** In what databases differ. */
import { MysqlAdapter, PostgresAdapter, SqliteAdapter, sql } from 'kysely'
import type { QueryExecutorProvider, RawBuilder } from 'kysely'

/** The kinds of databases, by the SQL they speak. */
export type DialectName = 'sqlite' | 'postgres' | 'mysql'

/** How one kind of database is talked to. */
export interface Dialect {
  /** Whether a statement can return the rows it writes. */
  readonly hasReturning: boolean
  /** A value as the driver takes it. */
  encode(value: unknown): unknown
  /** Whether a column holds exactly that text. */
  isText(column: RawBuilder<unknown>, text: string): RawBuilder<unknown>
  /** Whether a column holds a date before that one. */
  isBefore(column: RawBuilder<unknown>, date: Date): RawBuilder<unknown>
  /** A date in a form that says the same in every time zone, or `null` where the driver reads it that way. */
  readDate(column: RawBuilder<unknown>): RawBuilder<unknown> | null
  /** Deletes rows, but not more than `limit` at once. */
  deleteSome(some: Some): RawBuilder<unknown>
}

/** Some rows of a table. */
export interface Some {
  readonly table: RawBuilder<unknown>
  readonly key: readonly RawBuilder<unknown>[]
  readonly condition: RawBuilder<unknown>
  readonly limit: number
}

function deleteByKey({ table, key, condition, limit }: Some): RawBuilder<unknown> {
  const columns = sql.join(key)
  return sql`delete from ${table} where (${columns}) in (select ${columns} from ${table} where ${condition} limit ${sql.lit(limit)})`
}

/** What has no type of its own: booleans are numbers, and objects the text of their JSON. */
function plain(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  const isBytes = value instanceof Uint8Array || value instanceof ArrayBuffer
  return typeof value === 'object' && value !== null && !isBytes ? JSON.stringify(value) : value
}

const equals = (column: RawBuilder<unknown>, text: string) => sql`${column} = ${text}`

/** As MySQL writes dates. */
const inMysql = (date: Date) => date.toISOString().replace('T', ' ').replace('Z', '')

/** SQLite has neither dates nor booleans: texts that sort like the dates they stand for, and numbers. */
const sqlite: Dialect = {
  hasReturning: true,
  encode(value) {
    if (value instanceof Date) return value.toISOString()
    // D1 refuses them; a column of integers takes the text for the number.
    return typeof value === 'bigint' ? String(value) : plain(value)
  },
  isText: equals,
  // Others write milliseconds, which SQLite takes for less than any text.
  isBefore: (column, date) =>
    sql`((typeof(${column}) = 'text' and ${column} < ${date.toISOString()}) or (typeof(${column}) in ('integer', 'real') and ${column} < ${date.getTime()}))`,
  readDate: () => null,
  deleteSome: deleteByKey,
}

const postgres: Dialect = {
  hasReturning: true,
  encode: (value) => value,
  // A text with this character cannot be stored, and asking for it is an error.
  isText: (column, text) => (text.includes('\0') ? sql`1 = 0` : equals(column, text)),
  isBefore: (column, date) => sql`${column} < ${date}`,
  readDate: () => null,
  deleteSome: deleteByKey,
}

/** Drivers of MySQL take dates for local ones, so they go in and come out as texts in UTC. */
const mysql: Dialect = {
  hasReturning: false,
  encode(value) {
    return value instanceof Date ? inMysql(value) : plain(value)
  },
  // The usual collations take "a" for "A" and for "a ". The first comparison is for the index.
  isText: (column, text) =>
    sql`(${column} = ${text} and cast(convert(${column} using utf8mb4) as binary) = cast(convert(${text} using utf8mb4) as binary))`,
  isBefore: (column, date) => sql`${column} < ${inMysql(date)}`,
  readDate: (column) => sql`date_format(${column}, '%Y-%m-%dT%H:%i:%s.%fZ')`,
  deleteSome: ({ table, condition, limit }) =>
    sql`delete from ${table} where ${condition} limit ${sql.lit(limit)}`,
}

const DIALECTS: Readonly<Record<DialectName, Dialect>> = { sqlite, postgres, mysql }

/**
 * The dialect of a Kysely instance.
 *
 * @throws TypeError when it is not an instance, or one of a version that is too old
 * @throws Error when it is none of these
 */
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
