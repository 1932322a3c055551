import type { Kysely } from 'kysely'
import { dialectOf } from './_kysely/dialect.ts'
import type { DialectName } from './_kysely/dialect.ts'
import { kyselyDriver } from './_kysely/driver.ts'
import type { IdType } from './_kysely/table.ts'
import { adapterMethods, withTransactions } from './_methods.ts'
import type { SchemaNames } from './_schema.ts'
import type { Adapter } from './index.ts'

export type { DialectName } from './_kysely/dialect.ts'
export type { IdType } from './_kysely/table.ts'
export type { SchemaNames, TableId } from './_schema.ts'

/** Options of {@link KyselyAdapter}. */
export interface KyselyAdapterOptions extends SchemaNames {
  /** SQL dialect. @default detected from Kysely's own dialects */
  readonly dialect?: DialectName | undefined
  /** Type of user ids: the database generates `integer`, the library `text` and `uuid`. @default 'text' */
  readonly ids?: IdType | undefined
  /** `false` for databases without transactions, such as D1: a failed sign-up is undone step by step. @default true */
  readonly transactions?: boolean | undefined
}

/** `transaction` exists only if the database supports it. */
type SqlAdapter = Omit<Required<Adapter>, 'transaction'> & Pick<Adapter, 'transaction'>

/**
 * Stores users, accounts and sessions with Kysely: SQLite, PostgreSQL, MySQL and MariaDB, libSQL, PGlite, D1. The
 * application owns the instance: it connects, logs, and closes it. `npx lib-auth migrate` creates or extends the
 * tables.
 *
 * A session is read with one statement. Operations that must be atomic use one statement or a transaction.
 *
 * @throws Error when the dialect is unknown, or `db` is not an instance of Kysely 0.27 or newer
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
export default function KyselyAdapter<DB>(
  db: Kysely<DB>,
  options: KyselyAdapterOptions = {},
): SqlAdapter {
  const { dialect, ids = 'text', transactions = true, ...names } = options
  const shared = { dialect: dialectOf(db, dialect), ids, names }
  // Plugins, such as `CamelCasePlugin`, would rename the columns.
  const plain = db.withoutPlugins()
  const methodsOver = (connection: Kysely<DB>) => adapterMethods(kyselyDriver(connection, shared))
  if (!transactions) return methodsOver(plain)
  return withTransactions(methodsOver(plain), (work) =>
    plain.transaction().execute((transaction) => work(methodsOver(transaction))),
  )
}
