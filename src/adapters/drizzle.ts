import { drizzleDriver, requireDatabase } from './_drizzle.ts'
import type { DrizzleDatabase, DrizzleTable } from './_drizzle.ts'
import { adapterMethods, withTransactions } from './_methods.ts'
import type { Adapter, AdapterAuthenticator } from './index.ts'

export type { DrizzleDatabase, DrizzleTable } from './_drizzle.ts'

/** The Drizzle tables. Their properties are named after the fields; their columns can have any names. */
export interface DrizzleTables {
  readonly users: DrizzleTable<'id' | 'name' | 'email' | 'emailVerified' | 'image'>
  readonly accounts: DrizzleTable<'userId' | 'type' | 'provider' | 'providerAccountId'>
  readonly sessions: DrizzleTable<'sessionToken' | 'userId' | 'expires'>
  readonly verificationTokens: DrizzleTable<'identifier' | 'token' | 'expires'>
  /** Required for passkeys. */
  readonly authenticators?: DrizzleTable<keyof AdapterAuthenticator> | undefined
}

/** Options of {@link DrizzleAdapter}. */
export interface DrizzleAdapterOptions {
  /**
   * `false` for databases without transactions, such as D1 and Neon over HTTP: a failed sign-up is undone step by step.
   * @default `true`, except for synchronous drivers
   */
  readonly transactions?: boolean | undefined
}

/**
 * Stores users, accounts and sessions with Drizzle: PostgreSQL, SQLite, MySQL and MariaDB, libSQL, PGlite, D1. The
 * application owns the connection and the tables, which can have any names. `npx lib-auth schema --adapter drizzle`
 * prints the default tables. Additional columns are filled from the fields of the same name.
 *
 * Date columns must return `Date` objects with milliseconds (`timestamp` with `mode: 'date'`, `precision: 3`), not
 * strings. A session is read with one statement. Passkeys require `authenticators`.
 *
 * @throws TypeError when `db` is not a database of drizzle-orm
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
export default function DrizzleAdapter(
  db: DrizzleDatabase,
  tables: DrizzleTables,
  options: DrizzleAdapterOptions = {},
): Adapter {
  requireDatabase(db)
  // A transaction of a synchronous driver cannot await anything.
  const isSync = 'resultKind' in db && db.resultKind === 'sync'
  const { transactions = !isSync } = options
  const methodsOver = (database: DrizzleDatabase) => adapterMethods(drizzleDriver(database, tables))
  if (!transactions) return methodsOver(db)
  return withTransactions(methodsOver(db), async (work) =>
    db.transaction((transaction) => work(methodsOver(transaction))),
  )
}
