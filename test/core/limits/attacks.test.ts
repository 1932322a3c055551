/** Guesses with counters in memory, SQLite, PostgreSQL and Redis (acceptance D1 and D2). */
import { Redis } from 'ioredis'
import { PostgresDialect, SqliteDialect } from 'kysely'
import { Pool } from 'pg'
import { afterAll, describe } from 'vitest'
import RedisAdapter from '../../../src/adapters/redis.ts'
import { openSqlite } from '../../../src/adapters/sqlite.ts'
import { withDatabases } from '../../adapters/databases.ts'
import { testAttacks } from './attacks-suite.ts'
import { overKysely } from './over-records.ts'

describe('in memory', () => testAttacks(() => undefined))

describe('in SQLite', async () => {
  const store = await overKysely(
    new SqliteDialect({ database: () => openSqlite(':memory:') }),
    'sqlite',
  )
  testAttacks(() => store)
})

await withDatabases(['postgres', 'redis'], async ({ postgres, redis }) => {
  const pool = new Pool({ connectionString: postgres.url, max: 10 })
  const store = await overKysely(new PostgresDialect({ pool }), 'postgres')
  describe('in PostgreSQL', () => testAttacks(() => store))

  const client = new Redis(redis.url, { lazyConnect: true })
  afterAll(() => client.disconnect())
  const prefix = `attacks-${process.pid}-${Date.now()}:`
  describe('in Redis', () => testAttacks(() => RedisAdapter(client, { prefix })))
})
