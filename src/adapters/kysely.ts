import { idAsText, readField } from './_rows.ts'
import { sql } from 'kysely'
import type { CompiledQuery, Kysely, QueryExecutorProvider, QueryResult, RawBuilder } from 'kysely'
import { characterSetAdvice, missingTableMessage } from './_database-errors.ts'
import {
  columnSql,
  decodeRow,
  detectDialect,
  encodeRow,
  existingTable,
  matches,
  selectAll,
  selectJoined,
  sqlTable,
} from './_kysely.ts'
import { kyselyFactors } from './_kysely-factors.ts'
import { kyselyPasswords } from './_kysely-passwords.ts'
import { kyselyRecords } from './_kysely-records.ts'
import { assignments, insertInto, keyColumns } from './_kysely-statements.ts'
import type { Run } from './_kysely-statements.ts'
import type { DialectName, ExistingTable, IdType, SqlTable, TableOptions } from './_kysely.ts'
import { adapterMethods, withTransactions } from './_methods.ts'
import type { Fields, PasskeyDriver, TableRow, TableRows } from './_methods.ts'
import { OPTIONAL_TABLES, SCHEMA, usesTable } from './_schema.ts'
import type { OptionalTable, SchemaNames, StoreOf, TableId } from './_schema.ts'
import type { Adapter, AdapterUser } from '../core/database/adapter.ts'
import type { ColumnLimit } from '../core/database/column-limit.ts'
import { columnLimits, inspectable } from '../core/symbols.ts'

export type { DialectName, IdType } from './_kysely.ts'
export type { OptionalTable, SchemaNames, StoreOf, TableId } from './_schema.ts'

async function execute<T>(
  table: SqlTable,
  send: () => Promise<QueryResult<T>>,
): Promise<QueryResult<T>> {
  try {
    return await send()
  } catch (error) {
    const { id, name, columns } = table
    const option = OPTIONAL_TABLES.some((optional) => optional === id) ? ` --with ${id}` : ''
    const advice = characterSetAdvice(error, table)
    if (advice !== null) throw new Error(`The table "${name}": ${advice}`, { cause: error })
    const missing = missingTableMessage(error)
    if (missing === null) throw error
    throw new Error(
      `The table "${name}", or a table joined with it, is missing in the database or lacks one of the columns ${[...columns.values()].join(', ')} (${missing}). Run: npx lib-auth migrate --url <url of the database>${option}. If the tables have other names, set them in the options of the adapter.`,
      { cause: error },
    )
  }
}

function kyselyRows<Id extends TableId>(
  id: Id,
  db: QueryExecutorProvider,
  table: SqlTable,
): TableRows<TableRow[Id]> {
  type Row = TableRow[Id]
  const { name: tableName, sqlName, dialect, ids } = table
  const { hasReturning } = dialect
  const keyFields = SCHEMA[id].key

  const run = <T>(statement: RawBuilder<T>) => execute(table, () => statement.execute(db))

  async function change(statement: RawBuilder<unknown>): Promise<Row | null | number> {
    if (!hasReturning) return Number((await run(statement)).numAffectedRows ?? 0)
    const { rows } = await run(sql<Row>`${statement} returning *`)
    return rows[0] ? decodeRow(table, rows[0]) : null
  }

  async function list(key: Fields): Promise<Row[]> {
    const { rows } = await run(
      sql<Row>`select ${selectAll(table, 't')} from ${sqlName} as ${sql.id('t')} where ${matches(table, key, 't')}`,
    )
    return rows.map((row) => decodeRow(table, row))
  }

  return {
    hasReturning,
    list,

    async insert(row) {
      const given = id === 'users' && ids === 'integer' ? { ...row, id: undefined } : row
      const insert = insertInto(table, given)
      const { rows, insertId } = await run(
        hasReturning ? sql<Row>`${insert} returning *` : sql<Row>`${insert}`,
      )
      const key = keyFields.map((field) => [field, idAsText(readField(given, field) ?? insertId)])
      const [inserted] = hasReturning
        ? rows.map((each) => decodeRow(table, each))
        : await list(Object.fromEntries(key))
      if (inserted) return inserted
      throw new Error(`A row written to the table "${tableName}" cannot be read back.`)
    },

    async update(key, changes) {
      if (encodeRow(table, changes).length === 0) return 0
      return change(
        sql`update ${sqlName} set ${assignments(table, changes)} where ${matches(table, key)}`,
      )
    },

    delete: (key) => change(sql`delete from ${sqlName} where ${matches(table, key)}`),

    async deleteExpired(before, limit) {
      const isExpired = dialect.isBefore(columnSql(table, 'expires'), before)
      const condition = sql`${isExpired} limit ${sql.lit(limit)}`
      const key = keyColumns(table)
      const batch = hasReturning
        ? // Twice, because another process may replace a row before it is deleted.
          sql`(${key}) in (select ${key} from ${sqlName} where ${condition}) and ${isExpired}`
        : condition
      return Number((await run(sql`delete from ${sqlName} where ${batch}`)).numAffectedRows)
    },
  }
}

/** The rows of a table that may lack optional columns. */
function openExistingTable<Id extends TableId>(
  id: Id,
  db: QueryExecutorProvider,
  { table, find }: ExistingTable,
): TableRows<TableRow[Id]> {
  const load = async () => kyselyRows(id, db, await find(db))
  return {
    ...kyselyRows(id, db, table),
    list: async (key) => (await load()).list(key),
    insert: async (row) => (await load()).insert(row),
    update: async (key, changes) => (await load()).update(key, changes),
  }
}

type OptionalTables = Readonly<Record<OptionalTable, SqlTable | null>>

/** Opens the table, if it is used. */
function openOptional<Id extends OptionalTable, Rows>(
  id: Id,
  db: QueryExecutorProvider,
  { [id]: table }: OptionalTables,
  open: (table: SqlTable, rows: TableRows<TableRow[Id]>, run: Run) => Rows,
): Rows | null {
  if (!table) return null
  return open(table, kyselyRows(id, db, table), (statement) =>
    execute(table, () => statement.execute(db)),
  )
}

function kyselyDriver(
  db: QueryExecutorProvider,
  options: TableOptions,
  passkeys: ExistingTable,
  optional: OptionalTables,
): PasskeyDriver {
  const users = sqlTable('users', options)
  const joined = {
    accounts: sqlTable('accounts', options),
    sessions: sqlTable('sessions', options),
  }
  const compiled = new Map<TableId, CompiledQuery>()

  function compileWithUser(table: SqlTable, key: Fields): CompiledQuery {
    const isOwner = sql`${columnSql(users, 'id', 'u')} = ${columnSql(table, 'userId', 't')}`
    const query = sql`select ${selectJoined(table, 't')}, ${selectAll(users, 'u')} from ${table.sqlName} as ${sql.id('t')} inner join ${users.sqlName} as ${sql.id('u')} on ${isOwner} where ${matches(table, key, 't')}`
    return query.compile(db)
  }

  /** Compiles the statement once, with the names of the fields in place of their values. */
  function queryWithUser(table: SqlTable, key: Fields): CompiledQuery {
    // The SQL for these values can differ: see `isText` and `matches`.
    if (!Object.values(key).every((value) => typeof value === 'string' && !value.includes('\0')))
      return compileWithUser(table, key)
    const names = Object.fromEntries(Object.keys(key).map((field) => [field, field]))
    const query = compiled.get(table.id) ?? compileWithUser(table, names)
    compiled.set(table.id, query)
    return { ...query, parameters: query.parameters.map((field) => key[String(field)]) }
  }

  return {
    openTable: (id) => kyselyRows(id, db, sqlTable(id, options)),
    authenticators: openExistingTable('authenticators', db, passkeys),
    records: openOptional('records', db, optional, kyselyRecords),
    factors: openOptional('factors', db, optional, kyselyFactors),
    passwords: openOptional('passwords', db, optional, kyselyPasswords),

    async findWithUser<Id extends keyof typeof joined>(id: Id, key: Fields) {
      const table = joined[id]
      const { rows } = await execute(table, () =>
        db.getExecutor().executeQuery<AdapterUser & TableRow[Id]>(queryWithUser(table, key)),
      )
      if (!rows[0]) return null
      const user = decodeRow(users, rows[0])
      const row = decodeRow<TableRow[Id]>(table, rows[0], 'joined')
      return { row: { ...row, ...key, userId: user.id }, user }
    },
  }
}

/** Options of {@link KyselyAdapter}. */
export interface KyselyAdapterOptions extends SchemaNames {
  /** SQL dialect. @default detected from Kysely's own dialects */
  readonly dialect?: DialectName | undefined
  /** Type of user ids: the database generates `integer`, the library `text` and `uuid`. @default 'text' */
  readonly ids?: IdType | undefined
  /** `false` for databases without transactions, such as D1: a failed sign-up is undone step by step. @default true */
  readonly transactions?: boolean | undefined
  /**
   * Optional tables to use: `records`, for example to count attempts for all processes, `factors` for second factors,
   * and `passwords`. @default none
   */
  readonly with?: readonly OptionalTable[] | undefined
}

/** An adapter with all methods; `transaction` only if the database supports it, and those of optional tables. */
export type SqlAdapter = Omit<Required<Adapter>, OptionalMethod> & Pick<Adapter, OptionalMethod>

/** The methods that an adapter may lack: `transaction`, and those of optional tables. */
export type OptionalMethod = 'transaction' | keyof StoreOf<OptionalTable>

/**
 * Stores users, accounts and sessions with Kysely: SQLite, PostgreSQL, MySQL and MariaDB, libSQL, PGlite, D1. The
 * application owns the instance: it connects, logs, and closes it. `npx lib-auth migrate` creates or extends the
 * tables.
 *
 * A session is read with one statement. Operations that must be atomic use one statement or a transaction.
 *
 * @throws Error when the dialect is unknown, or `db` is not an instance of Kysely 0.27 or newer
 * @throws TypeError when `with` contains another name than those of the optional tables
 * @example
 * ```ts
 * import { Kysely, PostgresDialect } from 'kysely'
 * import KyselyAdapter from 'lib-auth/adapters/kysely'
 * import { Pool } from 'pg'
 *
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL })
 * // Without listeners a connection that breaks would end the process.
 * pool.on('error', console.error)
 * pool.on('connect', (client) => client.on('error', console.error))
 * const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
 *
 * export const adapter = KyselyAdapter(db)
 * ```
 */
export default function KyselyAdapter<DB, Name extends OptionalTable>(
  db: Kysely<DB>,
  options: KyselyAdapterOptions & { readonly with: readonly [Name, ...Name[]] },
): SqlAdapter & StoreOf<Name>
export default function KyselyAdapter<DB>(
  db: Kysely<DB>,
  options?: KyselyAdapterOptions,
): SqlAdapter
export default function KyselyAdapter<DB>(
  db: Kysely<DB>,
  options: KyselyAdapterOptions = {},
): SqlAdapter {
  const { dialect, ids = 'text', transactions = true, with: optional, ...names } = options
  const shared = { dialect: detectDialect(db, dialect), ids, names }
  // Plugins, such as `CamelCasePlugin`, would rename the columns.
  const plain = db.withoutPlugins()
  const passkeys = existingTable(sqlTable('authenticators', shared))
  const find = (id: OptionalTable) =>
    usesTable('KyselyAdapter', optional, id) ? sqlTable(id, shared) : null
  const tables = {
    records: find('records'),
    factors: find('factors'),
    passwords: find('passwords'),
  }
  const createMethods = (connection: Kysely<DB>) =>
    adapterMethods(kyselyDriver(connection, shared, passkeys, tables))
  const forDoctor = {
    [columnLimits]: async (id: ColumnLimit['table']) =>
      (await import('./_kysely-limits.ts')).findColumnLimits(plain, id, shared),
    [inspectable]: { db: plain, dialect: shared.dialect.name, ids, with: optional, ...names },
  }
  if (!transactions) return { ...createMethods(plain), ...forDoctor }
  const adapter = withTransactions(createMethods(plain), (work) =>
    plain.transaction().execute((transaction) => work(createMethods(transaction))),
  )
  return { ...adapter, ...forDoctor }
}
