import { adapterMethods } from './_methods.ts'
import { redisDriver } from './_redis/driver.ts'
import type { Access } from './_redis/driver.ts'
import { revive } from './_redis/json.ts'
import { redisStore, USER } from './_redis/store.ts'
import type { RedisClient, Store } from './_redis/store.ts'
import { GRACE, runUnit, openUnit } from './_redis/unit.ts'
import type { Unit } from './_redis/unit.ts'
import { withTransactions } from './_transactions.ts'
import type { Adapter, AdapterUser } from './index.ts'

export type { IoRedisClient, NodeRedisClient, RedisClient } from './_redis/store.ts'

/** Options of {@link RedisAdapter}. */
export interface RedisAdapterOptions {
  /** Prefix of every key. A cluster requires a hash tag, such as `{lib-auth}:`. @default 'lib-auth:' */
  readonly prefix?: string | undefined
}

/** Runs each call as a unit of work. */
function accessByCall(store: Store): Access {
  return {
    run: (work) => runUnit(store, work),
    async getWithUser<T extends object>(key: string) {
      const [text, userText] = await store.getWithUser(key)
      if (text === null) return null
      const row: T & { readonly userId: string } = JSON.parse(text, revive)
      // The JSON decoder of Redis rejects deeply nested rows.
      const user = userText ?? (await store.get(USER + row.userId))
      return user === null ? null : ([row, JSON.parse(user, revive)] as const)
    },
    removeExpired: (before) => store.deleteExpired(before.getTime() + GRACE),
  }
}

/** Runs all calls in one unit of work. */
function accessInUnit(unit: Unit, store: Store): Access {
  return {
    ...accessByCall(store),
    run: (work) => work(unit),
    async getWithUser<T extends object>(key: string) {
      const row = await unit.get<T & { readonly userId: string }>(key)
      const user = row && (await unit.get<AdapterUser>(USER + row.userId))
      return row && user ? ([row, user] as const) : null
    },
  }
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
  const methodsIn = (unit: Unit) => adapterMethods(redisDriver(accessInUnit(unit, store)))
  const adapter = withTransactions(
    adapterMethods(redisDriver(accessByCall(store))),
    async (work) => {
      const unit = openUnit(store)
      const result = await work(methodsIn(unit))
      if (await unit.commit()) return result
      throw new Error(
        'RedisAdapter: rows that this transaction read were changed by another client.',
      )
    },
  )
  return {
    ...adapter,
    // Runs in a unit of work, not in a transaction: only the unit is repeated after a conflict.
    deleteUser: (userId) => runUnit(store, async (unit) => methodsIn(unit).deleteUser(userId)),
  }
}
