import type { SqliteDatabase } from 'kysely'
import { connect } from './_sqlite/connection.ts'
import { findDriver } from './_sqlite/drivers.ts'
import type { SqliteDriver } from './_sqlite/drivers.ts'

export type { SqliteDriver } from './_sqlite/drivers.ts'

/** Options of {@link openSqlite}. */
export interface SqliteOptions {
  /**
   * Busy timeout, in milliseconds: how long a statement waits while another process has locked the file, before it
   * fails with `SQLITE_BUSY`. The drivers are synchronous, so the whole process waits.
   *
   * @default 2000
   */
  readonly busyTimeout?: number | undefined
  /** The driver to use. @default the first that is available: `node:sqlite`, `better-sqlite3`, `libsql` */
  readonly driver?: SqliteDriver | undefined
}

/**
 * Opens an SQLite file for Kysely's `SqliteDialect`, with the first available driver: `node:sqlite` (Node 22.16 or
 * newer), `better-sqlite3`, or `libsql`.
 *
 * With `libsql`, the connection is replaced after `SQLITE_BUSY`, because the driver would not commit later writes. This
 * resets settings of the connection, such as `pragma foreign_keys`, but not those of the file, such as
 * `pragma journal_mode = wal`.
 *
 * @throws Error when no driver is available, or the file cannot be opened
 * @example
 * ```ts
 * import { Kysely, SqliteDialect } from 'kysely'
 * import KyselyAdapter from 'lib-auth/adapters/kysely'
 * import { openSqlite } from 'lib-auth/adapters/sqlite'
 *
 * const dialect = new SqliteDialect({ database: () => openSqlite('app.db') })
 *
 * export const adapter = KyselyAdapter(new Kysely<object>({ dialect }))
 * ```
 */
export async function openSqlite(
  path: string,
  { busyTimeout = 2000, driver }: SqliteOptions = {},
): Promise<SqliteDatabase> {
  return connect(findDriver(path, driver), Math.trunc(busyTimeout))
}
