/** The SQLite drivers of this machine. */
import { openSqlite } from '../../src/adapters/sqlite.ts'
import type { SqliteDriver } from '../../src/adapters/sqlite.ts'

const DRIVERS: readonly SqliteDriver[] = ['node:sqlite', 'better-sqlite3', 'libsql']

/** The drivers that can be loaded, in the order of preference. */
export async function availableDrivers(): Promise<SqliteDriver[]> {
  const opened = await Promise.allSettled(
    DRIVERS.map(async (driver) => (await openSqlite(':memory:', { driver })).close()),
  )
  return DRIVERS.filter((_, index) => opened[index]?.status === 'fulfilled')
}
