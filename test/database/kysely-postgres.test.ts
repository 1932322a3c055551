import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { afterAll, describe } from 'vitest'
import { startPostgres } from '../../tools/databases.mjs'
import { testKysely } from './kysely.ts'

const server = await startPostgres()
const pool = new Pool({ connectionString: server.url, max: 10 })
const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })

afterAll(async () => {
  await db.destroy()
  await server.end()
})

describe('PostgreSQL', () => testKysely(db, 'postgres'))
