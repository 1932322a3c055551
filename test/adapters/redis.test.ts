import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, describe, test } from 'vitest'
import RedisAdapter from '../../src/adapters/redis.ts'
import { testAdapter } from '../../src/testing/index.ts'
import { testAccounts } from './manage-accounts.ts'
import { testPasswordFlows } from './reset-passwords.ts'
import { testSecondStep } from './second-step.ts'
import { testPasskeys } from './manage-passkeys.ts'
import { testAssured } from './assured.ts'
import { testSignIn } from './sign-in.ts'
import { withDatabases } from './databases.ts'

await withDatabases(['redis'], async ({ redis: server }) => {
  const ioredis = new Redis(server.url)
  const nodeRedis = createClient({ url: server.url })
  await nodeRedis.connect()

  afterAll(async () => {
    ioredis.disconnect()
    nodeRedis.destroy()
  })

  describe('Redis, through ioredis', () => {
    testAdapter(RedisAdapter(ioredis), { test })
    testSignIn(() => RedisAdapter(ioredis))
    testAssured(() => RedisAdapter(ioredis))
    testPasskeys(() => RedisAdapter(ioredis))
    testAccounts(() => RedisAdapter(ioredis))
    testPasswordFlows(() => RedisAdapter(ioredis))
    testSecondStep(() => RedisAdapter(ioredis))
  })

  describe('Redis, through node-redis', () =>
    testAdapter(RedisAdapter(nodeRedis, { prefix: '{other}:' }), { test }))
})
