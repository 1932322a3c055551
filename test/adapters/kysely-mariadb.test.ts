import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import { afterAll, describe } from 'vitest'
import { testKysely } from './kysely.ts'
import { withDatabases } from './databases.ts'

await withDatabases(['mariadb'], async ({ mariadb: server }) => {
  const db = new Kysely<object>({ dialect: new MysqlDialect({ pool: createPool(server.url) }) })

  afterAll(async () => {
    await db.destroy()
  })

  describe('MariaDB', () => testKysely(db, 'mariadb'))
})
