/** docs/guides/challenge.md and docs/guides/attacks.md */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Router } from 'express'
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

const challenge = openGuide('challenge')
const attacks = openGuide('attacks')
const HASH = '3779b3a72787fe89b09680c07533fadb'
const WRONG = { ...TYPED, password: 'wrong' }

beforeAll(stubGuideEnvironment)
afterAll(() => void vi.unstubAllEnvs())

test('the sign-in page asks for a challenge after 20 failures, and accepts its answer', async () => {
  vi.spyOn(console, 'info').mockReturnValue()
  onTestFinished(() => void vi.restoreAllMocks())
  const { signin } = await challenge.load<{ signin: Router }>('signin.ts')
  const server = createServer(express().use(signin)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await vi.waitFor(() => expect(server.listening).toBe(true), { timeout: 20_000 })
  const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/signin`
  const post = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ email: 'ada@example.com', ...fields })
    const headers = { origin: 'https://app.test' }
    const { headers: sent } = await fetch(page, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
    })
    return sent.get('location')
  }
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  for (let count = 0; count < 20; count++) {
    expect(await post({ password: 'wrong' })).toBe('/signin?error=CredentialsSignin')
    vi.setSystemTime(Date.now() + 15 * 60 * 1000)
  }
  const refused = '/signin?error=ChallengeRequired'
  expect(await post({ password: 'example' })).toBe(refused)
  expect(await post({ password: 'example', challenge: '5' })).toBe(refused)
  expect(await (await fetch(new URL(refused, page))).text()).toContain('name="challenge"')
  expect(await (await fetch(page)).text()).not.toContain('name="challenge"')
  expect(await post({ password: 'example', challenge: '4' })).toBe('https://app.test/')
})

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
  const command = attacks.blocks('sql').find((block) => block.startsWith('delete')) ?? ''

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
      const [, pattern = ''] = /--pattern '([^']+)'/.exec(attacks.blocks('sh').join()) ?? []
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
  const query = attacks.blocks('sql').find((block) => block.startsWith('select')) ?? ''
  expect(database.prepare(query).all()).toMatchObject([
    { limit: 'password.account', target: expect.any(String), events: 3 },
  ])
})
