import { Kysely, SqliteDialect } from 'kysely'
import { describe } from 'vitest'
import { openSqlite } from '../../src/adapters/sqlite.ts'
import { testKysely } from './kysely.ts'
import { availableDrivers } from './sqlite-drivers.ts'

describe.each(await availableDrivers())('SQLite with %s', (driver) => {
  const dialect = new SqliteDialect({ database: () => openSqlite(':memory:', { driver }) })
  testKysely(new Kysely<object>({ dialect }), 'sqlite')
})
