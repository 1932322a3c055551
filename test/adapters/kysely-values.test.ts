/** Plugins, additional columns, character sets and invalid values of an application. */
import { CamelCasePlugin, Kysely, MysqlDialect, SqliteDialect, sql } from 'kysely'
import Database from 'libsql'
import { createPool } from 'mysql2'
import { afterAll, expect, test } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import type { KyselyAdapterOptions } from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { withDatabases } from './databases.ts'

const ADA = { id: 'ada', email: 'ada@example.com', emailVerified: new Date(0), name: 'Ada' }
const EXTRA = { extraColumns: { users: ['roles', 'address'] } } as const
const OWN = { roles: ['admin', 'editor'], address: { city: 'London' } }
const STORED = { roles: '["admin","editor"]', address: '{"city":"London"}' }

async function sqliteFor(options: KyselyAdapterOptions = {}): Promise<Kysely<object>> {
  const db = new Kysely<object>({
    dialect: new SqliteDialect({ database: new Database(':memory:') }),
  })
  for (const { statement } of createTables({ ...options, dialect: 'sqlite' }))
    await sql.raw(statement).execute(db)
  return db
}

test('ignores a plugin that renames columns', async () => {
  const options = { columns: 'snake_case' } as const
  const db = (await sqliteFor(options)).withPlugin(new CamelCasePlugin())
  const adapter = KyselyAdapter(db, options)
  expect(await adapter.createUser(ADA)).toEqual({ ...ADA, image: null })
  const account = { provider: 'op', providerAccountId: '1', userId: 'ada', type: 'oidc' } as const
  await adapter.transaction?.(async (within) => {
    await within.linkAccount?.({ ...account, access_token: 'secret', expires_at: 5 })
  })
  expect(await adapter.getAccount('1', 'op')).toMatchObject({
    access_token: 'secret',
    expires_at: 5,
  })
  await adapter.createSession({ sessionToken: 'token', userId: 'ada', expires: new Date(1) })
  const expected = { session: { sessionToken: 'token', userId: 'ada', expires: new Date(1) } }
  expect(await adapter.getSessionAndUser('token')).toMatchObject(expected)
  await adapter.deleteUser('ada')
  expect(await adapter.getUser('ada')).toBeNull()
})

test('matches no row for undefined or null, even if a row contains this text', async () => {
  const adapter = KyselyAdapter(await sqliteFor())
  for (const name of ['undefined', 'null']) {
    await adapter.createUser({ ...ADA, id: name, email: name })
    await adapter.createSession({ sessionToken: name, userId: name, expires: new Date(1) })
  }
  for (const missing of [undefined, null])
    for (const method of ['getUser', 'getUserByEmail', 'getSessionAndUser'] as const)
      expect(await Reflect.apply(adapter[method], adapter, [missing]), method).toBeNull()
})

test('SQLite stores lists and objects as JSON', async () => {
  const adapter = KyselyAdapter(await sqliteFor(EXTRA), EXTRA)
  expect(await adapter.createUser({ ...ADA, ...OWN })).toMatchObject(STORED)
})

await withDatabases(['mariadb'], async ({ mariadb }) => {
  const pool = createPool(mariadb.url)
  const db = new Kysely<object>({ dialect: new MysqlDialect({ pool }) })
  for (const { statement } of createTables({ ...EXTRA, dialect: 'mariadb' }))
    await sql.raw(statement).execute(db)
  afterAll(() => db.destroy())

  test('MariaDB stores lists and objects as JSON', async () => {
    const adapter = KyselyAdapter(db, EXTRA)
    expect(await adapter.createUser({ ...ADA, ...OWN })).toMatchObject(STORED)
  })

  test('compares addresses exactly in latin1 columns', async () => {
    await sql
      .raw(
        `alter table users modify email varchar(191) character set latin1 collate latin1_swedish_ci`,
      )
      .execute(db)
    const adapter = KyselyAdapter(db)
    const user = await adapter.createUser({ ...ADA, id: 'zoe', email: 'zoë@example.com' })
    expect(await adapter.getUserByEmail('zoë@example.com')).toEqual(user)
    expect(await adapter.getUserByEmail('zoe@example.com')).toBeNull()
  })
})
