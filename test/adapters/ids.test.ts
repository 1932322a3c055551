/** Ids that are numbers of up to 19 digits or UUIDs. Text that cannot be such an id matches no user. */
import { drizzle } from 'drizzle-orm/node-postgres'
import * as pg from 'drizzle-orm/pg-core'
import type { PgColumnBuilderBase } from 'drizzle-orm/pg-core'
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { createPool } from 'mysql2'
import { Pool } from 'pg'
import { afterAll, expect, test } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import DrizzleAdapter from '../../src/adapters/drizzle.ts'
import type { DrizzleTables } from '../../src/adapters/drizzle.ts'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { withDatabases } from './databases.ts'

const BEGIN = 1_234_567_890_123_456_789n
const ADA = { id: crypto.randomUUID(), email: 'ada@example.com', emailVerified: null, name: 'Ada' }

const prefixed = (prefix: string) => ({
  users: `${prefix}users`,
  accounts: `${prefix}accounts`,
  sessions: `${prefix}sessions`,
  verificationTokens: `${prefix}tokens`,
  authenticators: `${prefix}authenticators`,
})

/** Tables with ids of one type. */
function tablesOf(prefix: string, id: (name: string) => PgColumnBuilderBase): DrizzleTables {
  const date = { mode: 'date', withTimezone: true, precision: 3 } as const
  const names = prefixed(prefix)
  return {
    users: pg.pgTable(names.users, {
      id: id('id'),
      name: pg.text(),
      email: pg.text(),
      emailVerified: pg.timestamp(date),
      image: pg.text(),
    }),
    accounts: pg.pgTable(names.accounts, {
      userId: id('userId'),
      type: pg.text(),
      provider: pg.text(),
      providerAccountId: pg.text(),
    }),
    sessions: pg.pgTable(names.sessions, {
      sessionToken: pg.text(),
      userId: id('userId'),
      expires: pg.timestamp(date),
    }),
    verificationTokens: pg.pgTable(names.verificationTokens, {
      identifier: pg.text(),
      token: pg.text(),
      expires: pg.timestamp(date),
    }),
  }
}

/** A created user is found by id, account and session. */
async function expectFound(adapter: Adapter): Promise<string> {
  const user = await adapter.createUser?.(ADA)
  const id = user?.id ?? ''
  const key = { provider: 'op', providerAccountId: id }
  await adapter.linkAccount?.({ userId: id, type: 'oidc', ...key })
  const expires = new Date(Date.now() + 60_000)
  await adapter.createSession?.({ sessionToken: id, userId: id, expires })
  expect(await adapter.getUser?.(id)).toEqual(user)
  expect(await adapter.getUserByAccount?.(key)).toEqual(user)
  expect(await adapter.getSessionAndUser?.(id)).toMatchObject({ user, session: { userId: id } })
  return id
}

/** These ids match no user, and do not throw. */
async function expectNoUser(adapter: Adapter): Promise<void> {
  for (const id of ['github|1', '9999999999999999999', '1.5', '-1', '01', ''])
    expect(await adapter.getUser?.(id), id).toBeNull()
}

await withDatabases(['postgres', 'mariadb'], async ({ postgres, mariadb }) => {
  const pool = new Pool({ connectionString: postgres.url })
  const options = { ids: 'integer', tables: prefixed('counted_') } as const
  const counted = createTables({ dialect: 'postgres', ...options })
  const unique = createTables({ dialect: 'postgres', ids: 'uuid', tables: prefixed('unique_') })
  for (const { statement } of [...counted, ...unique, ...createTables({ dialect: 'postgres' })])
    await pool.query(statement)
  await pool.query(`alter table counted_users alter id restart with ${BEGIN}`)
  for (const { statement } of createTables({ dialect: 'mariadb', ...options }))
    await using(mariadb.url, statement)
  afterAll(() => pool.end())

  async function using(uri: string, statement: string): Promise<void> {
    const own = createPool({ uri })
    await own.promise().query(statement)
    own.end()
  }

  test('Kysely over PostgreSQL stores ids of 19 digits', async () => {
    const adapter = KyselyAdapter(
      new Kysely<object>({ dialect: new PostgresDialect({ pool }) }),
      options,
    )
    expect(await expectFound(adapter)).toBe(String(BEGIN))
    await expectNoUser(adapter)
    await adapter.deleteUser(String(BEGIN))
    expect(await adapter.getUserByEmail(ADA.email)).toBeNull()
  })

  test('Kysely over MariaDB stores ids of 19 digits, and rejects rounded ones', async () => {
    await using(mariadb.url, `alter table counted_users auto_increment = ${BEGIN}`)
    const over = (more: object) => {
      const own = createPool({ uri: mariadb.url, ...more })
      afterAll(() => own.end())
      return KyselyAdapter(
        new Kysely<object>({ dialect: new MysqlDialect({ pool: own }) }),
        options,
      )
    }
    const adapter = over({ supportBigNumbers: true })
    expect(await expectFound(adapter)).toBe(String(BEGIN))
    await expectNoUser(adapter)
    await expect(over({}).getUserByEmail(ADA.email)).rejects.toThrow(/supportBigNumbers: true/)
  })

  test('Drizzle stores bigint ids', async () => {
    const tables = tablesOf('counted_', (name) => pg.bigint(name, { mode: 'bigint' }))
    const adapter = DrizzleAdapter(drizzle(pool), tables)
    expect(await expectFound(adapter)).toBe(String(BEGIN + 1n))
    await expectNoUser(adapter)
  })

  test('Drizzle stores UUIDs', async () => {
    const adapter = DrizzleAdapter(drizzle(pool), tablesOf('unique_', pg.uuid))
    expect(await expectFound(adapter)).toBe(ADA.id)
    await expectNoUser(adapter)
  })

  test('Drizzle finds no user for an address with NUL', async () => {
    const adapter = DrizzleAdapter(drizzle(pool), tablesOf('', pg.text))
    expect(await adapter.getUserByEmail?.('ada\0@example.com')).toBeNull()
  })
})
