import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, describe, test } from 'vitest'
import RedisAdapter from '../../src/adapters/redis.ts'
import { testAdapter } from '../../src/testing/index.ts'
import { startRedis } from '../../tools/databases.mjs'

const server = await startRedis()
const ioredis = new Redis(server.url)
const nodeRedis = createClient({ url: server.url })
await nodeRedis.connect()

afterAll(async () => {
  ioredis.disconnect()
  nodeRedis.destroy()
  await server.end()
})

describe('Redis, through ioredis', () => testAdapter(RedisAdapter(ioredis), { test }))

describe('Redis, through node-redis', () =>
  testAdapter(RedisAdapter(nodeRedis, { prefix: '{other}:' }), { test }))
