/** When an SQL adapter stores records, and what it reports if their table is missing. */
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import DrizzleAdapter from '../../../src/adapters/drizzle.ts'
import type { StoredRecord } from '../../../src/adapters/index.ts'
import KyselyAdapter from '../../../src/adapters/kysely.ts'
import { openSqlite } from '../../../src/adapters/sqlite.ts'
import { createTables } from '../../../src/cli/database/create-tables.ts'
import { sqliteTables } from '../../adapters/drizzle-tables.ts'

const METHODS = ['readRecords', 'listRecords', 'writeRecord', 'deleteRecords']

const db = new Kysely<object>({
  dialect: new SqliteDialect({ database: () => openSqlite(':memory:') }),
})
const client = createClient({ url: 'file::memory:' })

afterAll(async () => {
  await db.destroy()
  client.close()
})

const record: StoredRecord = {
  key: 'ended:1',
  value: '1',
  owner: 'user:1',
  expires: new Date('2037-01-01T00:00:00.000Z'),
}

const OLD = new Date('2036-01-01T00:00:00.000Z')

describe('Kysely', () => {
  test('stores records only with the option', () => {
    for (const method of METHODS) {
      expect(KyselyAdapter(db)).not.toHaveProperty(method)
      expect(KyselyAdapter(db, { with: ['records'] })).toHaveProperty(method)
    }
  })

  test.each([
    ['a misspelt table', ['record'], '["record"]'],
    ['a text', 'records', '"records"'],
  ])('rejects %s in the option', (_name, given, shown) => {
    for (const [name, adapter, args] of [
      ['KyselyAdapter', KyselyAdapter, [db]],
      ['DrizzleAdapter', DrizzleAdapter, [drizzle(client), sqliteTables]],
    ] as const)
      expect(() => Reflect.apply(adapter, undefined, [...args, { with: given }])).toThrow(
        `${name}: the option with is not a list of optional tables (got ${shown}). Set it to: { with: ['records', 'factors', 'passwords'] }`,
      )
  })

  test('reports a missing table with the command that creates it', async () => {
    const store = KyselyAdapter(db, { with: ['records'] })
    await expect(store.writeRecord(record, null)).rejects.toThrow(
      /^The table "records", .+ Run: npx lib-auth migrate --url <url of the database> --with records\./,
    )
  })

  test('deletes expired records in batches, and needs no table without the option', async () => {
    for (const { statement } of createTables({ dialect: 'sqlite', with: ['records'] }))
      await sql.raw(statement).execute(db)
    const store = KyselyAdapter(db, { with: ['records'] })
    for (let each = 0; each < 2500; each++)
      await store.writeRecord({ ...record, key: `old:${each}`, expires: OLD })
    await store.writeRecord(record)
    await KyselyAdapter(db).deleteExpired(new Date(OLD.getTime() + 1))
    expect(await store.listRecords('user:1')).toHaveLength(2501)
    await store.deleteExpired(new Date(OLD.getTime() + 1))
    expect(await store.listRecords('user:1')).toEqual([record])
  })

  test.each([
    ['key', { key: 'k'.repeat(192) }],
    ['owner', { owner: 'o'.repeat(192) }],
  ])('rejects a %s that some databases would truncate', async (field, long) => {
    const store = KyselyAdapter(db, { with: ['records'] })
    await expect(store.writeRecord({ ...record, ...long })).rejects.toThrow(
      `writeRecord: the ${field} is longer than 191 characters.`,
    )
  })

  test('rejects an expiry that is not a date', async () => {
    const store = KyselyAdapter(db, { with: ['records'] })
    await expect(store.writeRecord({ ...record, expires: new Date(NaN) })).rejects.toThrow(
      'writeRecord: expires is not a valid date.',
    )
  })
})

describe('Drizzle', () => {
  const { records: _records, ...usual } = sqliteTables

  test('stores records only with the option, so that the name may be that of another table', () => {
    const songs = sqlite.sqliteTable('records', { id: sqlite.integer().primaryKey() })
    const schema = { ...usual, records: songs }
    const other = DrizzleAdapter(drizzle(client), schema)
    const store = DrizzleAdapter(drizzle(client), sqliteTables, { with: ['records'] })
    for (const method of METHODS) {
      expect(other).not.toHaveProperty(method)
      expect(store).toHaveProperty(method)
    }
  })

  test('reports that the table is not passed, with the command that prints it', () => {
    const optional: readonly 'records'[] = ['records']
    expect(() => DrizzleAdapter(drizzle(client), usual, { with: optional })).toThrow(
      "DrizzleAdapter: the table records is missing, which the option with: ['records'] requires. To print it, run: npx lib-auth schema --adapter drizzle --with records",
    )
  })
})
