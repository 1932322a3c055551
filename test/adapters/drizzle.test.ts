import { createClient } from '@libsql/client'
import { drizzle as drizzleOverLibsql } from 'drizzle-orm/libsql'
import { drizzle as drizzleOverMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzleOverPg } from 'drizzle-orm/node-postgres'
import { createPool } from 'mysql2'
import { Pool } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import DrizzleAdapter from '../../src/adapters/drizzle.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { testAdapter } from '../../src/testing/index.ts'
import { printedTables } from './drizzle-printed.ts'
import { sqliteStatements, sqliteTables } from './drizzle-tables.ts'
import { testAccounts } from './manage-accounts.ts'
import { testPasswordFlows } from './reset-passwords.ts'
import { testSecondStep } from './second-step.ts'
import { testPasskeys } from './manage-passkeys.ts'
import { testAssured } from './assured.ts'
import { testSignIn } from './sign-in.ts'
import { testTokens } from './tokens.ts'
import { testExpiredRecords } from '../core/records/expired-suite.ts'
import { withDatabases } from './databases.ts'

await withDatabases(['postgres', 'mariadb'], async ({ postgres, mariadb }) => {
  const pgTables = await printedTables('postgres')
  const mysqlTables = await printedTables('mysql')
  const pool = new Pool({ connectionString: postgres.url, max: 10 })
  for (const { statement } of createTables({
    dialect: 'postgres',
    with: ['records', 'factors', 'passwords'],
  }))
    await pool.query(statement)

  const mysqlPool = createPool({ uri: mariadb.url, timezone: 'Z' })
  for (const { statement } of createTables({
    dialect: 'mariadb',
    with: ['records', 'factors', 'passwords'],
  }))
    await mysqlPool.promise().query(statement)

  const sqlite = createClient({ url: 'file::memory:?cache=shared' })
  for (const statement of sqliteStatements) await sqlite.execute(statement)

  afterAll(async () => {
    await pool.end()
    mysqlPool.end()
    sqlite.close()
  })

  describe('Drizzle over PostgreSQL', () => {
    const adapter = DrizzleAdapter(drizzleOverPg(pool), pgTables, {
      with: ['records', 'factors', 'passwords'],
    })
    testAdapter(adapter, { test })
    testExpiredRecords(adapter)
    testTokens(() => adapter)
    testAssured(() => adapter)
    testSignIn(() => adapter)
    testPasskeys(() => adapter)
    testAccounts(() => adapter)
    testPasswordFlows(() => adapter)
    testSecondStep(() => adapter)

    test('keeps accounts and sessions if deleting the user fails', async () => {
      await pool.query(`create table orders (owner text references users (id))`)
      const user = { id: 'buyer', email: 'buyer@example.com', emailVerified: null }
      await adapter.createUser?.(user)
      await adapter.createSession?.({
        sessionToken: 'bought',
        userId: 'buyer',
        expires: new Date(),
      })
      await pool.query(`insert into orders values ('buyer')`)
      await expect(adapter.deleteUser?.('buyer')).rejects.toThrow()
      expect(await adapter.listSessions?.('buyer')).toHaveLength(1)
      await pool.query(`drop table orders`)
      await adapter.deleteUser?.('buyer')
      expect(await adapter.listSessions?.('buyer')).toEqual([])
    })
  })
  describe('Drizzle over MariaDB', () => {
    const adapter = DrizzleAdapter(drizzleOverMysql(mysqlPool), mysqlTables, {
      with: ['records', 'factors', 'passwords'],
    })
    testAdapter(adapter, { test })
    testExpiredRecords(adapter)
    testTokens(() => adapter)
    testAssured(() => adapter)

    test('reports a table that cannot store an emoji, with the statement that fixes it', async () => {
      // latin1 cannot store the names of the users above.
      await mysqlPool.promise().query('delete from users')
      await mysqlPool.promise().query('alter table users modify name text character set latin1')
      const fox = { id: 'fox', name: '🦊', email: 'fox@example.com', emailVerified: null }
      await expect(adapter.createUser?.(fox)).rejects.toThrow(
        /^DrizzleAdapter: .+ ALTER TABLE `…` CONVERT TO CHARACTER SET utf8mb4/,
      )
      await mysqlPool.promise().query('alter table users modify name text character set utf8mb4')
      expect(await adapter.createUser?.(fox)).toMatchObject({ name: '🦊' })
    })

    test('does not report a duplicate user as a character set error', async () => {
      const name = 'Illegal mix of collations (latin1_bin,IMPLICIT)'
      const user = { id: 'mixed', name, email: 'mixed@example.com', emailVerified: null }
      await adapter.createUser?.(user)
      const again = adapter.createUser?.(user)
      await expect(again).rejects.toThrow(/^Failed query: .+Illegal mix of collations/s)
    })
  })
  describe('Drizzle over SQLite with auto-increment ids', () => {
    const adapter = DrizzleAdapter(drizzleOverLibsql(sqlite), sqliteTables, {
      with: ['records', 'factors', 'passwords'],
    })
    testAdapter(adapter, { test })
    testExpiredRecords(adapter)
    testTokens(() => adapter)
    testAssured(() => adapter)
  })
})
