/** Which optional tables an SQL adapter uses, with each combination of the option `with`. */
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { Kysely, SqliteDialect } from 'kysely'
import { afterAll, describe, expect, expectTypeOf, test } from 'vitest'
import DrizzleAdapter from '../../src/adapters/drizzle.ts'
import type { Adapter } from '../../src/adapters/index.ts'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import type { OptionalTable } from '../../src/adapters/kysely.ts'
import { openSqlite } from '../../src/adapters/sqlite.ts'
import { sqliteTables } from './drizzle-tables.ts'
import { makeTables } from './kysely.ts'

const METHODS: Readonly<Record<OptionalTable, readonly (keyof Adapter)[]>> = {
  records: ['readRecords', 'listRecords', 'writeRecord', 'deleteRecords'],
  factors: ['listFactors', 'createFactor', 'useFactor', 'deleteFactor'],
  passwords: ['getPassword', 'setPassword'],
}

const COMBINATIONS: readonly (readonly OptionalTable[])[] = [
  [],
  ['records'],
  ['factors'],
  ['passwords'],
  ['factors', 'passwords'],
  ['passwords', 'records'],
  ['records', 'factors', 'passwords'],
]

const db = new Kysely<object>({
  dialect: new SqliteDialect({ database: () => openSqlite(':memory:') }),
})
const client = createClient({ url: 'file::memory:' })

afterAll(async () => {
  await db.destroy()
  client.close()
})

describe.each(COMBINATIONS)('with %j %s %s', (...names) => {
  const used: readonly OptionalTable[] = names

  test.each([
    ['Kysely', () => KyselyAdapter(db, { with: used })],
    ['Drizzle', () => DrizzleAdapter(drizzle(client), sqliteTables, { with: used })],
  ])('%s has the methods of these tables only', (_name, open) => {
    const adapter: Adapter = open()
    for (const table of ['records', 'factors', 'passwords'] as const)
      for (const method of METHODS[table])
        expect([method, method in adapter]).toEqual([method, used.includes(table)])
  })
})

test('an adapter that does not ask for the tables needs none of them to delete a user', async () => {
  await makeTables(db, 'sqlite')
  const adapter = KyselyAdapter(db)
  await adapter.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
  await adapter.deleteUser('ada')
  expect(await adapter.getUser('ada')).toBeNull()
})

test.each(['factors', 'passwords'] as const)(
  'Kysely names the command that creates the table %s',
  async (table) => {
    const adapter = KyselyAdapter(db, { with: ['factors', 'passwords'] })
    const read = {
      factors: () => adapter.listFactors('1'),
      passwords: () => adapter.getPassword('1'),
    }
    await expect(async () => read[table]()).rejects.toThrow(
      new RegExp(
        `^The table "${table}", .+ Run: npx lib-auth migrate --url <url of the database> --with ${table}\\.`,
      ),
    )
  },
)

test.each(['factors', 'passwords'] as const)(
  'Drizzle reports that the table %s is not passed, with the command that prints it',
  (table) => {
    const { [table]: _, ...others } = sqliteTables
    const optional: readonly OptionalTable[] = ['records', table]
    expect(() => DrizzleAdapter(drizzle(client), others, { with: optional })).toThrow(
      `DrizzleAdapter: the table ${table} is missing, which the option with: ['${table}'] requires. To print it, run: npx lib-auth schema --adapter drizzle --with ${table}`,
    )
  },
)

test('the types contain the methods of the tables that are named in the option', () => {
  const one = KyselyAdapter(db, { with: ['factors'] })
  expectTypeOf<(typeof one)['listFactors']>().toEqualTypeOf<Required<Adapter>['listFactors']>()
  expectTypeOf<(typeof one)['getPassword']>().toEqualTypeOf<Adapter['getPassword']>()
  const two = KyselyAdapter(db, { with: ['records', 'passwords'] })
  expectTypeOf<(typeof two)['getPassword']>().toEqualTypeOf<Required<Adapter>['getPassword']>()
  expectTypeOf<(typeof two)['readRecords']>().toEqualTypeOf<Required<Adapter>['readRecords']>()
  expectTypeOf<(typeof two)['useFactor']>().toEqualTypeOf<Adapter['useFactor']>()
  const over = DrizzleAdapter(drizzle(client), sqliteTables, { with: ['factors'] })
  expectTypeOf<(typeof over)['useFactor']>().toEqualTypeOf<Required<Adapter>['useFactor']>()
  // @ts-expect-error not an optional table
  expect(() => KyselyAdapter(db, { with: ['factor'] })).toThrow('optional tables')
})
