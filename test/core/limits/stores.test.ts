/** Rate limits in the memory of the process, in records of any adapter, and in Redis. */
import { Redis } from 'ioredis'
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely'
import { Pool } from 'pg'
import { createClient } from 'redis'
import { afterAll, describe, expect, test, vi } from 'vitest'
import KyselyAdapter from '../../../src/adapters/kysely.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import RedisAdapter from '../../../src/adapters/redis.ts'
import { openSqlite } from '../../../src/adapters/sqlite.ts'
import { createTables } from '../../../src/cli/database/create-tables.ts'
import { processLimits } from '../../../src/core/limits/memory.ts'
import { withDatabases } from '../../adapters/databases.ts'
import { withServers } from '../../adapters/servers.ts'
import { overKysely, overRecords } from './over-records.ts'
import { guess, site } from './site.ts'
import { testRateLimitStore } from './store-suite.ts'

describe('in the memory of the process', () => {
  testRateLimitStore(() => processLimits)

  test('10,000 new keys do not free an exhausted one', async () => {
    const now = Date.now()
    const victim = { key: 'limit:test:victim', burst: 5, per: 900 }
    for (let attempt = 0; attempt < 5; attempt++) processLimits.take([victim], now)
    for (let index = 0; index < 20_000; index++)
      processLimits.take([{ key: `limit:test:garbage-${index}`, burst: 5, per: 900 }], now)
    expect(processLimits.take([victim], now)).toMatchObject([{ allowed: false }])
  })

  test('an exhausted key is kept before one with a longer time that is nearly idle', () => {
    const now = Date.now()
    const DAY = 24 * 60 * 60
    const attempt = (account: string) => [
      { key: `limit:test:${account}`, burst: 10, per: 900 },
      { key: `limit:test-day:${account}`, burst: 100, per: DAY },
      { key: `limit:test-failures:${account}`, burst: 1_000_000, per: 1_000_000 * 30 * DAY },
    ]
    for (let index = 0; index < 10; index++) processLimits.take(attempt('victim'), now)
    for (let index = 0; index < 20_000; index++) processLimits.take(attempt(`other-${index}`), now)
    const [first] = processLimits.take(attempt('victim'), now)
    expect(first).toMatchObject({ allowed: false })
  })

  test('keeps at most 10,000 keys', () => {
    const now = Date.now()
    for (let index = 0; index < 12_000; index++)
      processLimits.take([{ key: `limit:test:${index}`, burst: 5, per: 900 }], now)
    const memory: object = Reflect.get(globalThis, Symbol.for('lib-auth.process.1'))
    const table: { positions: Map<string, number>; keys: string[] } = Reflect.get(memory, 'limits')
    expect([table.positions.size, table.keys.length]).toEqual([10_000, 10_000])
    expect(table.keys.every((key, position) => table.positions.get(key) === position)).toBe(true)
  })
})

describe('in records', () => {
  testRateLimitStore(() => overRecords(MemoryAdapter()))

  test('replaces a value that is not a time', async () => {
    const adapter = MemoryAdapter()
    const rate = { key: 'limit:test:1', burst: 1, per: 900 }
    const expires = new Date(Date.now() + 60_000)
    await adapter.writeRecord?.({ key: rate.key, value: 'nonsense', owner: null, expires })
    const store = await overRecords(adapter)
    const now = Date.now()
    expect(await store.take([rate], now)).toMatchObject([{ allowed: true }])
    expect(await store.take([rate], now)).toMatchObject([{ allowed: false }])
  })

  test('cost one read for all keys and one write for each', async () => {
    const adapter = MemoryAdapter()
    const calls: string[] = []
    const counted = new Proxy(adapter, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return (...args: unknown[]): unknown => {
          calls.push(String(name))
          return Reflect.apply(method, target, args)
        }
      },
    })
    const store = await overRecords(counted)
    const rates = ['a', 'b', 'c'].map((key) => ({ key, burst: 5, per: 900 }))
    await store.take(rates, Date.now())
    expect(calls).toEqual(['readRecords', 'writeRecord', 'writeRecord', 'writeRecord'])
  })
})

describe('in records of SQLite', async () => {
  const database = () => openSqlite(':memory:')
  const store = await overRecords(await overKysely(new SqliteDialect({ database }), 'sqlite'))
  testRateLimitStore(() => store)

  test('contain few rows of an attack that has ended', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const db = new Kysely<object>({ dialect: new SqliteDialect({ database }) })
    for (const { statement } of createTables({ dialect: 'sqlite', with: ['records'] }))
      await sql.raw(statement).execute(db)
    const records = KyselyAdapter(db, { with: ['records'] })
    // With `trustHost` alone, each name has one row more: that of all hosts.
    const { from } = site({}, {}, { store: records, origin: 'https://app.test' })
    const countRows = async () =>
      (await sql<{ key: string }>`select key from records`.execute(db)).rows.length
    const attack = async (name: string) => {
      for (let index = 0; index < 300; index++) await guess(from('192.0.2.1'), `${name}-${index}`)
    }
    await attack('first')
    expect(await countRows()).toBe(600)
    vi.setSystemTime(Date.now() + 2 * 24 * 60 * 60_000)
    await attack('second')
    expect(await countRows()).toBe(600)
    vi.useRealTimers()
    await db.destroy()
  })
})

await withDatabases(['postgres'], async ({ postgres }) => {
  const pool = new Pool({ connectionString: postgres.url, max: 10 })
  const store = await overRecords(await overKysely(new PostgresDialect({ pool }), 'postgres'))
  describe('in records of PostgreSQL', () => testRateLimitStore(() => store))
})

await withServers(['redis'], ({ redis }) => {
  const io = new Redis(redis.url, { lazyConnect: true })
  const node = createClient({ url: redis.url })
  afterAll(async () => {
    io.disconnect()
    await node.close()
  })

  describe('in Redis, with ioredis', () => {
    testRateLimitStore(() => RedisAdapter(io))

    test('one command for all keys', async () => {
      let commands = 0
      const client = {
        call: (command: string, ...args: string[]) => {
          commands++
          return io.call(command, ...args)
        },
      }
      const rates = ['a', 'b', 'c'].map((key) => ({ key, burst: 5, per: 900 }))
      await RedisAdapter(client, { prefix: 'count:' }).take(rates, Date.now())
      expect(commands).toBe(1)
    })

    test('keys expire when they are idle', async () => {
      const rate = { key: `limit:test:ttl-${Date.now()}`, burst: 5, per: 900 }
      await RedisAdapter(io).take([rate], Date.now())
      const left = await io.pttl(`lib-auth:${rate.key}`)
      expect(left).toBeGreaterThan(170_000)
      expect(left).toBeLessThanOrEqual(180_000)
    })
  })

  describe('in Redis, with redis', () => {
    testRateLimitStore(async () => {
      if (!node.isOpen) await node.connect()
      return RedisAdapter(node)
    })
  })
})
