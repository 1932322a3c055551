/** The keys of Redis as JSON: not `DUMP`, whose format depends on the version of the server. */
import type { Redis } from 'ioredis'

export interface FrozenKey {
  readonly key: string
  readonly type: string
  /** In milliseconds since the epoch; `null`: never. */
  readonly expires: number | null
  readonly value: unknown
}

const READ: Readonly<Record<string, (redis: Redis, key: string) => Promise<unknown>>> = {
  string: (redis, key) => redis.get(key),
  hash: (redis, key) => redis.hgetall(key),
  set: async (redis, key) => (await redis.smembers(key)).sort(),
  zset: (redis, key) => redis.zrange(key, 0, '-1', 'WITHSCORES'),
}

export async function dumpKeys(redis: Redis): Promise<FrozenKey[]> {
  const keys = (await redis.keys('*')).sort()
  return Promise.all(
    keys.map(async (key) => {
      const type = await redis.type(key)
      const read = READ[type]
      if (!read) throw new Error(`The key ${key} has the type ${type}.`)
      const expires = await redis.pexpiretime(key)
      return { key, type, expires: expires < 0 ? null : expires, value: await read(redis, key) }
    }),
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : [])
const pairs = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object(value)).filter((each): each is [string, string] => isText(each[1])),
  )

/** Replaces all keys. Those whose time has passed are left out, as by the server. */
export async function loadKeys(redis: Redis, keys: readonly FrozenKey[]): Promise<void> {
  await redis.flushdb()
  for (const { key, type, value, expires } of keys) {
    if (type === 'string') await redis.set(key, String(value))
    if (type === 'hash') await redis.hset(key, pairs(value))
    if (type === 'set') await redis.sadd(key, texts(value))
    if (type === 'zset') {
      const [members, scores] = [0, 1].map((at) =>
        texts(value).filter((_each, index) => index % 2 === at),
      )
      for (const [index, member] of (members ?? []).entries())
        await redis.zadd(key, scores?.[index] ?? 0, member)
    }
    if (expires !== null) await redis.pexpireat(key, Math.max(expires, Date.now() + 60_000))
  }
}
