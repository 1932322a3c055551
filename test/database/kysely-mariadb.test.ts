import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import { afterAll, describe } from 'vitest'
import { startMariaDB } from '../../tools/databases.mjs'
import { testKysely } from './kysely.ts'

const server = await startMariaDB()
const db = new Kysely<object>({ dialect: new MysqlDialect({ pool: createPool(server.url) }) })

afterAll(async () => {
  await db.destroy()
  await server.end()
})

describe('MariaDB', () => testKysely(db, 'mariadb'))
