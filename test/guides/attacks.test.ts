/** docs/guides/attacks.md */
import { Redis } from 'ioredis'
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely'
import type { Dialect } from 'kysely'
import SQLite from 'libsql'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { RecordStore } from '../../src/adapters/index.ts'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import RedisAdapter from '../../src/adapters/redis.ts'
import { openSqlite } from '../../src/adapters/sqlite.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import type { AuditOptions } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig, TYPED } from '../config.ts'
import { withDatabases } from '../adapters/databases.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('attacks')
const HASH = '3779b3a72787fe89b09680c07533fadb'
const WRONG = { ...TYPED, password: 'wrong' }

beforeAll(stubGuideEnvironment)
afterAll(() => void vi.unstubAllEnvs())

/** Exhausts the limits of two accounts, unlocks one with its key in the log, and returns the errors of both. */
async function unlock(store: RecordStore, run: (key: string) => Promise<unknown>) {
  // Few attempts, because each that takes longer than 200 ms is counted in the memory of the process.
  const limits = { 'password.account': { burst: 1, per: 900 } }
  const { config, log } = passwordConfig({ store, protection: { limits } })
  const attempt = async (username: string) => {
    const response = await enter(browser(config), { ...WRONG, username })
    return new URL(response.headers.get('location') ?? '').searchParams.get('error')
  }
  for (const username of ['ada', 'eve'])
    for (let count = 0; count < 2; count++) await attempt(username)
  const keys = log.errors.map(({ cause }) => String(Object(cause).key))
  const [, key = ''] = /limit:password\.account:([\da-f]{32})/.exec(keys.join('\n')) ?? []
  await run(key)
  return [await attempt('ada'), await attempt('eve')]
}

const UNLOCKED = ['CredentialsSignin', 'TooManyAttempts']

describe('a documented command unlocks one account', async () => {
  const command = guide.blocks('sql').find((block) => block.startsWith('delete')) ?? ''

  async function unlockIn(dialect: Dialect, name: 'sqlite' | 'postgres') {
    const db = new Kysely<object>({ dialect })
    for (const { statement } of createTables({ dialect: name, with: ['records'] }))
      await sql.raw(statement).execute(db)
    const store = KyselyAdapter(db, { with: ['records'] })
    const found = await unlock(store, (key) =>
      sql.raw(command.replace(HASH, key).replace(/;$/, '')).execute(db),
    )
    await db.destroy()
    return found
  }

  test('in SQLite', async () => {
    const dialect = new SqliteDialect({ database: () => openSqlite(':memory:') })
    expect(await unlockIn(dialect, 'sqlite')).toEqual(UNLOCKED)
  })

  await withDatabases(['postgres'], ({ postgres }) => {
    test('in PostgreSQL', async () => {
      const pool = new Pool({ connectionString: postgres.url })
      expect(await unlockIn(new PostgresDialect({ pool }), 'postgres')).toEqual(UNLOCKED)
    })
  })

  await withDatabases(['redis'], ({ redis }) => {
    test('in Redis', async () => {
      const client = new Redis(redis.url)
      onTestFinished(() => client.disconnect())
      await client.ping()
      const [, pattern = ''] = /--pattern '([^']+)'/.exec(guide.blocks('sh').join()) ?? []
      const found = await unlock(RedisAdapter(client), async (key) => {
        const keys = await client.keys(pattern.replace(HASH, key))
        expect(keys.length).toBeGreaterThan(0)
        await client.del(keys)
      })
      expect(found).toEqual(UNLOCKED)
    })
  })
})

test('the documented query shows the limit and the account under attack', async () => {
  const { auditTable } = await openGuide('audit').load<{
    auditTable: (database: unknown) => AuditOptions
  }>('audit-table.ts')
  const database = new SQLite(':memory:')
  const { config } = passwordConfig({ audit: auditTable(database) })
  const tab = browser(config)
  for (let count = 0; count < 13; count++) await enter(tab, { ...WRONG, username: 'ada-queried' })
  const query = guide.blocks('sql').find((block) => block.startsWith('select')) ?? ''
  expect(database.prepare(query).all()).toMatchObject([
    { limit: 'password.account', target: expect.any(String), events: 3 },
  ])
})
