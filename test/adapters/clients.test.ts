/** Adapters name the package to install if their argument is not a client of it. */
import { describe, expect, test } from 'vitest'
import DrizzleAdapter from '../../src/adapters/drizzle.ts'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { sqliteTables } from './drizzle-tables.ts'

const WRONG = [
  ['nothing', undefined],
  ['a driver', { prepare: () => undefined, exec: () => undefined }],
  ['a function that opens a database', () => undefined],
] as const

describe.each(WRONG)('with %s instead of a database', (_name, db) => {
  test('KyselyAdapter names the required version', () => {
    expect(() => Reflect.apply(KyselyAdapter, undefined, [db, { dialect: 'sqlite' }])).toThrow(
      /^KyselyAdapter needs an instance of Kysely 0\.27 or newer .* npm install kysely@latest$/,
    )
  })

  test('DrizzleAdapter names the required version', () => {
    expect(() => Reflect.apply(DrizzleAdapter, undefined, [db, sqliteTables])).toThrow(
      /^DrizzleAdapter needs a database of drizzle-orm 0\.34 or newer .* npm install drizzle-orm@latest$/,
    )
  })
})
