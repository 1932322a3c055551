import { adapterMethods, withTransactions } from './_methods.ts'
import { redisDriver } from './_redis/driver.ts'
import { redisStore } from './_redis/store.ts'
import type { RedisClient } from './_redis/store.ts'
import { openUnitOfWork, runUnitOfWork } from './_redis/unit-of-work.ts'
import type { UnitOfWork } from './_redis/unit-of-work.ts'
import type { Adapter } from './index.ts'

export type { IoRedisClient, NodeRedisClient, RedisClient } from './_redis/store.ts'

/** Options of {@link RedisAdapter}. */
export interface RedisAdapterOptions {
  /** Prefix of every key. A cluster requires a hash tag, such as `{lib-auth}:`. @default 'lib-auth:' */
  readonly prefix?: string | undefined
}

/**
 * Stores everything in Redis or Valkey, through a client of the application: `ioredis` or `redis`.
 *
 * The changes of a call or a transaction are written atomically by one script, unless another client has changed what
 * was read: of concurrent calls one succeeds. A session is read with one command. Sessions and tokens are deleted one
 * hour after they expire; calling `deleteExpired` is not required. Configure Redis for durability (`appendonly yes`,
 * `maxmemory-policy noeviction`), because it may be the only copy of the users.
 *
 * @example
 * ```ts
 * import { Redis } from 'ioredis'
 * import RedisAdapter from 'lib-auth/adapters/redis'
 *
 * export const adapter = RedisAdapter(new Redis(process.env.REDIS_URL ?? ''))
 * ```
 */
export default function RedisAdapter(
  client: RedisClient,
  { prefix = 'lib-auth:' }: RedisAdapterOptions = {},
): Required<Adapter> {
  const store = redisStore(client, prefix)
  const methodsIn = (unit?: UnitOfWork) => adapterMethods(redisDriver(store, unit))
  const adapter = withTransactions(methodsIn(), async (work) => {
    const unit = openUnitOfWork(store)
    const result = await work(methodsIn(unit))
    if (await unit.commit()) return result
    throw new Error('RedisAdapter: rows that this transaction read were changed by another client.')
  })
  return {
    ...adapter,
    // Runs in a unit of work, not in a transaction: only the unit is repeated after a conflict.
    deleteUser: (userId) =>
      runUnitOfWork(store, async (unit) => methodsIn(unit).deleteUser(userId)),
  }
}
