/** Twenty processes that charge one key at the same time, over each adapter and server (acceptance D5). */
import { createPool } from 'mysql2'
import { drizzle as drizzleOverMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzleOverPg } from 'drizzle-orm/node-postgres'
import { drizzle as drizzleOverLibsql } from 'drizzle-orm/libsql'
import { createClient } from '@libsql/client'
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'
import { Pool } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import DrizzleAdapter from '../../../src/adapters/drizzle.ts'
import type { Adapter } from '../../../src/adapters/index.ts'
import KyselyAdapter from '../../../src/adapters/kysely.ts'
import PrismaAdapter from '../../../src/adapters/prisma.ts'
import { openSqlite } from '../../../src/adapters/sqlite.ts'
import { createTables } from '../../../src/cli/database/create-tables.ts'
import { prismaSchema } from '../../../src/cli/schema.ts'
import { withDatabases } from '../../adapters/databases.ts'
import { printedTables } from '../../adapters/drizzle-printed.ts'
import { sqliteStatements, sqliteTables } from '../../adapters/drizzle-tables.ts'
import { connectPrisma } from '../../adapters/prisma-client.ts'
import { schemaOf, usualTables } from '../../adapters/prisma-schemas.ts'
import { overRecords } from './over-records.ts'

/** Registers the tests for an adapter, whose keys no other one has. */
function testRaces(name: string, adapter: Adapter): void {
  const processes = () => Promise.all(Array.from({ length: 20 }, () => overRecords(adapter)))
  const rate = (key: string, burst: number) => ({ key: `limit:${name}:${key}`, burst, per: 900 })

  test.each([
    ['one key', ['account']],
    ['three keys', ['account', 'address', 'pair']],
  ])('never allows more than the burst in a race of 100 for %s', async (kind, keys) => {
    const now = Date.now()
    const rates = keys.map((key) => rate(`${kind} ${key}`, 5))
    const stores = await processes()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => stores[index % 20]?.take(rates, now)),
    )
    const allowed = answers.filter((answer) => answer?.every((decision) => decision.allowed))
    expect(allowed.length).toBeLessThanOrEqual(5)
    // Of several keys, each may be charged by other processes, which then give up.
    if (keys.length === 1) expect(allowed.length).toBeGreaterThan(0)
  })

  test('never allows more than the burst while charges are refunded', async () => {
    const now = Date.now()
    const rates = [rate('refunded', 5)]
    let [inUse, most] = [0, 0]
    const attempts = (await processes()).map(async (store) => {
      for (let attempt = 0; attempt < 3; attempt++) {
        const [decision] = await store.take(rates, now)
        if (!decision?.allowed) continue
        most = Math.max(most, ++inUse)
        await new Promise((resolve) => void setTimeout(resolve, 5))
        inUse--
        await store.giveBack(rates, now)
      }
    })
    await Promise.all(attempts)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(5)
  })
}

await withDatabases(['postgres', 'mariadb'], async ({ postgres, mariadb }) => {
  const pool = new Pool({ connectionString: postgres.url, max: 10 })
  const mysqlPool = createPool({ uri: mariadb.url, timezone: 'Z' })
  const sqlite = createClient({ url: 'file::memory:?cache=shared' })
  const file = await openSqlite(':memory:')
  const options = { with: ['records'] } as const
  for (const tables of [{}, { tables: usualTables }]) {
    for (const { statement } of createTables({ dialect: 'postgres', ...tables, ...options }))
      await pool.query(statement)
    for (const { statement } of createTables({ dialect: 'mariadb', ...tables, ...options }))
      await mysqlPool.promise().query(statement)
  }
  for (const { statement } of createTables({ dialect: 'sqlite', ...options }))
    file.prepare(statement).run([])
  for (const statement of sqliteStatements) await sqlite.execute(statement)
  const prisma = await connectPrisma(
    ['limits-postgres', schemaOf('postgresql', prismaSchema('postgres', options))],
    ['@prisma/adapter-pg', 'PrismaPg', { connectionString: postgres.url }],
  )
  const prismaOverMariaDB = await connectPrisma(
    ['limits-mariadb', schemaOf('mysql', prismaSchema('mariadb', options))],
    ['@prisma/adapter-mariadb', 'PrismaMariaDb', mariadb.url.replace('mysql:', 'mariadb:')],
  )

  afterAll(async () => {
    for (const client of [prisma, prismaOverMariaDB]) await client.$disconnect()
    await pool.end()
    mysqlPool.end()
    sqlite.close()
  })

  const kysely = (dialect: ConstructorParameters<typeof Kysely>[0]['dialect']) =>
    KyselyAdapter(new Kysely<object>({ dialect }), options)
  const adapters: Record<string, Adapter> = {
    'Kysely over PostgreSQL': kysely(new PostgresDialect({ pool })),
    'Kysely over MariaDB': kysely(new MysqlDialect({ pool: mysqlPool })),
    'Kysely over SQLite': kysely(new SqliteDialect({ database: file })),
    'Drizzle over PostgreSQL': DrizzleAdapter(
      drizzleOverPg(pool),
      await printedTables('postgres'),
      options,
    ),
    'Drizzle over MariaDB': DrizzleAdapter(
      drizzleOverMysql(mysqlPool),
      await printedTables('mysql'),
      options,
    ),
    'Drizzle over SQLite': DrizzleAdapter(drizzleOverLibsql(sqlite), sqliteTables, options),
    'Prisma over PostgreSQL': PrismaAdapter(prisma),
    'Prisma over MariaDB': PrismaAdapter(prismaOverMariaDB),
  }
  for (const [name, adapter] of Object.entries(adapters))
    describe(name, () => testRaces(name, adapter))
})
