/** Adapters name the package to install when they are given something that their client is not. */
import { describe, expect, test } from 'vitest'
import DrizzleAdapter from '../../src/adapters/drizzle.ts'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { sqliteTables } from '../database/drizzle-tables.ts'

const WRONG = [
  ['nothing', undefined],
  ['a driver', { prepare: () => undefined, exec: () => undefined }],
  ['a function that opens one', () => undefined],
] as const

describe.each(WRONG)('given %s in place of a database', (_name, db) => {
  test('KyselyAdapter says what it needs', () => {
    expect(() => Reflect.apply(KyselyAdapter, undefined, [db, { dialect: 'sqlite' }])).toThrow(
      /^KyselyAdapter needs an instance of Kysely 0\.27 or newer .* npm install kysely@latest$/,
    )
  })

  test('DrizzleAdapter says what it needs', () => {
    expect(() => Reflect.apply(DrizzleAdapter, undefined, [db, sqliteTables])).toThrow(
      /^DrizzleAdapter needs a database of drizzle-orm 0\.34 or newer .* npm install drizzle-orm@latest$/,
    )
  })
})
