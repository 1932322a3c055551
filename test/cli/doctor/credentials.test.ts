/** `doctor` reports tables of second factors and passwords that cannot be read. */
import { afterAll, expect, test } from 'vitest'
import { applicationWith, cleanUp, GOOD_SECRET, examineFolder } from './run-doctor.ts'

afterAll(cleanUp)

const ENV = { AUTH_SECRET: GOOD_SECRET, AUTH_URL: 'https://app.test' }

/** The findings about both tables. */
async function examine(adapter: string) {
  const code = `
    import { Kysely, SqliteDialect } from '${import.meta.resolve('kysely')}'
    import MemoryAdapter from 'lib-auth/adapters/memory'
    import KyselyAdapter from 'lib-auth/adapters/kysely'
    import { openSqlite } from 'lib-auth/adapters/sqlite'
    const db = new Kysely({ dialect: new SqliteDialect({ database: () => openSqlite(':memory:') }) })
    const fail = async () => { throw new Error('relation does not exist') }
    const { listFactors, getPassword, ...older } = MemoryAdapter()
    const password = { id: 'password', name: 'Password', type: 'credentials', authorize: () => null }
    export const config = { providers: [password], session: { strategy: 'jwt' }, adapter: ${adapter} }
  `
  const { about, code: exit } = await examineFolder(applicationWith({ 'auth.mjs': code }), [], ENV)
  return { lines: [...about('factors'), ...about('passwords')], exit }
}

test.each([
  ['tables that exist', 'MemoryAdapter()'],
  ['an adapter without the tables', 'older'],
  ['an adapter that does not ask for the tables', 'KyselyAdapter(db)'],
])('reports nothing for %s', async (_name, adapter) => {
  expect(await examine(adapter)).toEqual({ lines: [], exit: 0 })
})

test('reports missing tables with the command that creates them', async () => {
  const advice = (table: string) =>
    `! ${table}: the table cannot be read: relation does not exist → If it is missing, create it: npx lib-auth migrate --with ${table}, or print it for Drizzle or Prisma: npx lib-auth schema --with ${table}`
  expect(await examine('{ ...older, listFactors: fail, getPassword: fail }')).toEqual({
    lines: [advice('factors'), advice('passwords')],
    exit: 0,
  })
  expect(await examine('{ ...older, getPassword: fail }')).toEqual({
    lines: [advice('passwords')],
    exit: 0,
  })
})

test('reports missing tables of the Kysely adapter once, with its own advice', async () => {
  const { lines, exit } = await examine(`KyselyAdapter(db, { with: ['factors', 'passwords'] })`)
  expect(exit).toBe(0)
  expect(lines).toEqual(
    ['factors', 'passwords'].map((table): unknown =>
      expect.stringMatching(
        new RegExp(
          `^! ${table}: the table cannot be read\\. The table "${table}", .* --with ${table}`,
        ),
      ),
    ),
  )
})
