/** The rows of each release in database servers. */
import { readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import { afterAll, describe } from 'vitest'
import RedisAdapter from '../../src/adapters/redis.ts'
import { withServers } from '../adapters/servers.ts'
import { frozenVersions } from './frozen.ts'
import { dumpKeys, loadKeys } from './redis.ts'
import type { FrozenKey } from './redis.ts'
import { testRows, testTables } from './rows-suite.ts'

const here = new URL('./', import.meta.url)

await withServers(['mariadb', 'redis'], ({ mariadb, redis: server }) => {
  const redis = new Redis(server.url)
  afterAll(() => redis.disconnect())
  for (const version of frozenVersions()) {
    testTables(version, 'mariadb', mariadb.url)
    describe(`the keys of ${version}, Redis`, () =>
      testRows(async () => {
        const text = readFileSync(new URL(`${version}/database/redis.json`, here), 'utf8')
        await loadKeys(redis, JSON.parse(text) as FrozenKey[])
        return {
          adapter: RedisAdapter(redis),
          dump: () => dumpKeys(redis),
          close: async () => undefined,
        }
      }))
  }
})
