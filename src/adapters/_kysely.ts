/** The SQL of one table in each dialect, and the conversion of its rows. */
import { parseIntegerId, idAsText, isUuid, readField } from './_rows.ts'
import { MysqlAdapter, PostgresAdapter, SqliteAdapter, sql } from 'kysely'
import type { QueryExecutorProvider, RawBuilder } from 'kysely'
import type { Fields } from './_methods.ts'
import { namedTable, SCHEMA } from './_schema.ts'
import type { ColumnType, NamedTable, SchemaNames, TableId } from './_schema.ts'

/** SQL dialect of a database. */
export type DialectName = 'sqlite' | 'postgres' | 'mysql'

interface Dialect {
  readonly name: DialectName
  /** Whether statements have `returning`; in these dialects, `delete` has no `limit`. */
  readonly hasReturning: boolean
  encode(value: unknown): unknown
  /** Compares exactly, whatever the collation of the column. */
  isText(column: RawBuilder<unknown>, text: string): RawBuilder<unknown>
  isBefore(column: RawBuilder<unknown>, date: Date): RawBuilder<unknown>
  /** Selects a date in UTC; `null` if the driver converts it correctly. */
  readDate(column: RawBuilder<unknown>): RawBuilder<unknown> | null
  /** Selects the names of the columns that exist; no row without the table. Does not fail, for use in a transaction. */
  listColumns(table: NamedTable): RawBuilder<{ name: string }>
}

function plain(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  const isBytes = value instanceof Uint8Array || value instanceof ArrayBuffer
  return typeof value === 'object' && value !== null && !isBytes ? JSON.stringify(value) : value
}

const equals = (column: RawBuilder<unknown>, text: string) => sql`${column} = ${text}`

const inMysql = (date: Date) => date.toISOString().replace('T', ' ').replace('Z', '')

/** SQLite has no types for dates and booleans: stores ISO 8601 strings, which sort by time, and numbers. */
const sqlite: Dialect = {
  name: 'sqlite',
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
  listColumns: ({ name }) => sql`select name from pragma_table_info(${name})`,
}

const postgres: Dialect = {
  name: 'postgres',
  hasReturning: true,
  encode: (value) => value,
  // PostgreSQL rejects NUL in a string, even in a comparison.
  isText: (column, text) => (text.includes('\0') ? sql`1 = 0` : equals(column, text)),
  isBefore: (column, date) => sql`${column} < ${date}`,
  readDate: () => null,
  listColumns({ schema, name }) {
    const parts = schema === undefined ? [name] : [schema, name]
    const quoted = parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.')
    return sql`select attname as ${sql.id('name')} from pg_attribute where attrelid = to_regclass(${quoted}) and attnum > 0 and not attisdropped`
  },
}

/** MySQL drivers convert dates to local time, so dates are sent and received as strings in UTC. */
const mysql: Dialect = {
  name: 'mysql',
  hasReturning: false,
  encode: (value) => (value instanceof Date ? inMysql(value) : plain(value)),
  // The usual collations ignore case and trailing spaces. The first comparison uses the index, the second is exact.
  isText: (column, text) =>
    sql`(${column} = ${text} and cast(convert(${column} using utf8mb4) as binary) = cast(convert(${text} using utf8mb4) as binary))`,
  isBefore: (column, date) => sql`${column} < ${inMysql(date)}`,
  readDate: (column) => sql`date_format(${column}, '%Y-%m-%dT%H:%i:%s.%fZ')`,
  listColumns: ({ schema, name }) =>
    sql`select column_name as ${sql.id('name')} from information_schema.columns where table_schema = coalesce(${schema ?? null}, database()) and table_name = ${name}`,
}

const DIALECTS: Readonly<Record<DialectName, Dialect>> = { sqlite, postgres, mysql }

export function detectDialect(db: QueryExecutorProvider, name: DialectName | undefined): Dialect {
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

/** Type of user ids in the database. */
export type IdType = 'text' | 'uuid' | 'integer'

export interface TableOptions {
  readonly dialect: Dialect
  readonly ids: IdType
  readonly names: SchemaNames
}

export interface SqlTable extends NamedTable, TableOptions {
  readonly sqlName: RawBuilder<unknown>
  readonly fieldsByColumn: ReadonlyMap<string, string>
}

const JOINED = 'lib-auth:'

export function sqlTable(id: TableId, options: TableOptions): SqlTable {
  const named = namedTable(id, options.names)
  const { schema, name, columns } = named
  const fieldsByColumn = new Map(Array.from(columns, ([field, own]) => [own, field] as const))
  return {
    ...named,
    ...options,
    fieldsByColumn,
    sqlName: sql.id(...(schema ? [schema] : []), name),
  }
}

/** The table without the optional columns that it lacks. */
function withColumns(table: SqlTable, names: ReadonlySet<string>): SqlTable {
  const columns = [...table.columns].filter(
    ([field, name]) => names.has(name) || SCHEMA[table.id].columns[field]?.since === undefined,
  )
  return { ...table, columns: new Map(columns) }
}

export interface ExistingTable {
  readonly table: SqlTable
  /** Returns the table without the optional columns that it lacks. */
  readonly find: (db: QueryExecutorProvider) => Promise<SqlTable>
}

/** Looks up the columns until all of them exist, so that `lib-auth migrate` needs no restart. */
export function existingTable(table: SqlTable): ExistingTable {
  let isComplete = false

  async function find(db: QueryExecutorProvider): Promise<SqlTable> {
    if (isComplete) return table
    const { rows } = await table.dialect.listColumns(table).execute(db)
    const existing = withColumns(table, new Set(rows.map(({ name }) => name)))
    isComplete = existing.columns.size === table.columns.size
    // The statement that follows reports a missing table.
    return rows.length > 0 ? existing : table
  }
  return { table, find }
}

export function columnSql(
  { columns }: SqlTable,
  field: string,
  alias?: string,
): RawBuilder<unknown> {
  const name = columns.get(field) ?? field
  return alias === undefined ? sql.id(name) : sql.id(alias, name)
}

export function selectAll(table: SqlTable, alias: string): RawBuilder<unknown> {
  const dates = [...table.columns.keys()].flatMap((field) => {
    const isDate = table.columnType(field) === 'date'
    const date = isDate && table.dialect.readDate(columnSql(table, field, alias))
    return date ? [sql`${date} as ${columnSql(table, field)}`] : []
  })
  return sql.join([sql`${sql.id(alias)}.*`, ...dates])
}

/** Selects for a join. Keys and ids are omitted, because the caller has them and every column costs time. */
export function selectJoined(table: SqlTable, alias: string): RawBuilder<unknown> {
  const values = Array.from(table.columns).flatMap(([field, name]) => {
    const type = table.columnType(field)
    if (type === 'key' || type === 'id') return []
    const own = columnSql(table, field, alias)
    const value = (type === 'date' && table.dialect.readDate(own)) || own
    return [sql`${value} as ${sql.id(JOINED + name)}`]
  })
  return sql.join(values)
}

/** `null` if the text cannot be an id of this type. */
function encodeId(id: string, type: IdType): string | number | bigint | null {
  if (type === 'integer') return parseIntegerId(id)
  return type === 'text' || isUuid(id) ? id : null
}

function decodeValue(value: unknown, type: ColumnType | undefined): unknown {
  if (value === null || value === undefined || type === undefined) return value
  if (type === 'date' && (typeof value === 'string' || typeof value === 'number'))
    return new Date(value)
  if (type === 'boolean') return Boolean(value)
  if (type === 'integer') return Number(value)
  return type === 'id' ? idAsText(value) : value
}

export function matches(table: SqlTable, key: Fields, alias?: string): RawBuilder<unknown> {
  const { dialect, ids, columnType } = table
  const parts = Object.entries(key).map(([field, value]) => {
    const own = columnSql(table, field, alias)
    // A missing value matches no row; as a string it would match a row that contains "undefined".
    const text = typeof value === 'string' ? value : null
    const id = text !== null && columnType(field) === 'id' ? encodeId(text, ids) : text
    if (id === null) return sql`1 = 0`
    return typeof id === 'string' ? dialect.isText(own, id) : sql`${own} = ${dialect.encode(id)}`
  })
  return sql.join(parts, sql` and `)
}

export function encodeRow(
  table: SqlTable,
  row: object,
): { name: RawBuilder<unknown>; value: unknown }[] {
  const { name, columns, dialect, ids, columnType } = table
  return Object.entries(row).flatMap(([field, value]) => {
    if (!columns.has(field) || value === undefined) return []
    const own = columnType(field) === 'id' ? encodeId(String(value), ids) : value
    if (own === null && value !== null)
      throw new Error(`The table "${name}" has ids of the type ${ids}.`)
    return [{ name: columnSql(table, field), value: dialect.encode(own) }]
  })
}

/** Decodes the columns of `selectAll`, or those of `selectJoined` in the same row. */
export function decodeRow<Row extends object>(
  { fieldsByColumn, columnType }: SqlTable,
  row: Row,
  columns: 'own' | 'joined' = 'own',
): Row {
  // A new object: deleting properties of the row would make it slow to read.
  const decoded: Row & Record<string, unknown> = Object.create(Object.prototype)
  const values: Record<string, unknown> = decoded
  const isJoined = columns === 'joined'
  for (const key of Object.keys(row)) {
    if (key.startsWith(JOINED) !== isJoined) continue
    const name = isJoined ? key.slice(JOINED.length) : key
    const field = fieldsByColumn.get(name) ?? name
    values[field] = decodeValue(readField(row, key), columnType(field))
  }
  return decoded
}
