import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { afterAll, describe } from 'vitest'
import { testKysely } from './kysely.ts'
import { withDatabases } from './databases.ts'

await withDatabases(['postgres'], async ({ postgres: server }) => {
  const pool = new Pool({ connectionString: server.url, max: 10 })
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })

  afterAll(async () => {
    await db.destroy()
  })

  describe('PostgreSQL', () => testKysely(db, 'postgres'))
})
