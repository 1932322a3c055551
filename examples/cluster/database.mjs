// The databases that all processes share: users, accounts and sessions in PostgreSQL, magic links in Redis.
import { Redis } from 'ioredis'
import { Kysely, PostgresDialect } from 'kysely'
import KyselyAdapter from 'lib-auth/adapters/kysely'
import RedisAdapter from 'lib-auth/adapters/redis'
import { Pool } from 'pg'

// Each process has a pool of its own: all of them together must stay below max_connections of PostgreSQL.
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const redis = new Redis(process.env.REDIS_URL ?? 'redis://localhost')

// Connections that break are replaced, whether they are in use or not; without these lines the process would end.
const onLost = (error) => console.error('PostgreSQL:', error.message)
pool.on('error', onLost)
pool.on('connect', (client) => client.on('error', onLost))
redis.on('error', (error) => console.error('Redis:', error.message))

const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
const links = RedisAdapter(redis)

// One of the two is enough: `export const adapter = KyselyAdapter(db)`, or `RedisAdapter(redis)`.
export const adapter = {
  ...KyselyAdapter(db),
  // Magic links expire within a day; Redis deletes them then.
  createVerificationToken: (token) => links.createVerificationToken(token),
  useVerificationToken: (key) => links.useVerificationToken(key),
  deleteVerificationTokens: (identifier) => links.deleteVerificationTokens(identifier),
}

/** Closes the connections to both. */
export async function disconnect() {
  redis.disconnect()
  await db.destroy()
}
