/** `doctor` reports tables of second factors and passwords that cannot be read. */
import { afterAll, expect, test } from 'vitest'
import { applicationWith, cleanUp, GOOD_SECRET, examineFolder } from './run-doctor.ts'

afterAll(cleanUp)

const ENV = { AUTH_SECRET: GOOD_SECRET, AUTH_URL: 'https://app.test' }

/** The findings about both tables. */
async function examine(adapter: string, provider = 'password', session = '') {
  const code = `
    import { Kysely, SqliteDialect } from '${import.meta.resolve('kysely')}'
    import MemoryAdapter from 'lib-auth/adapters/memory'
    import KyselyAdapter from 'lib-auth/adapters/kysely'
    import { Password } from 'lib-auth/password'
    import { openSqlite } from 'lib-auth/adapters/sqlite'
    const db = new Kysely({ dialect: new SqliteDialect({ database: () => openSqlite(':memory:') }) })
    const fail = async () => { throw new Error('relation does not exist') }
    const { listFactors, getPassword, ...older } = MemoryAdapter()
    const password = { id: 'password', name: 'Password', type: 'credentials', authorize: () => null }
    export const config = { providers: [${provider}], session: { strategy: 'jwt', ${session} }, adapter: ${adapter} }
  `
  const { about, code: exit } = await examineFolder(applicationWith({ 'auth.mjs': code }), [], ENV)
  const lines = [...about('factors'), ...about('passwords')]
  return { lines, configuration: about('configuration'), exit }
}

test.each([
  ['tables that exist', 'MemoryAdapter()'],
  ['an adapter without the tables', 'older'],
  ['an adapter that does not ask for the tables', 'KyselyAdapter(db)'],
])('reports nothing for %s', async (_name, adapter) => {
  expect(await examine(adapter)).toMatchObject({ lines: [], exit: 0 })
})

test('reports missing tables with the command that creates them', async () => {
  const advice = (table: string) =>
    `! ${table}: the table cannot be read: relation does not exist → If it is missing, create it: npx lib-auth migrate --with ${table}, or print it for Drizzle or Prisma: npx lib-auth schema --with ${table}`
  expect(await examine('{ ...older, listFactors: fail, getPassword: fail }')).toMatchObject({
    lines: [advice('factors'), advice('passwords')],
    exit: 0,
  })
  expect(await examine('{ ...older, getPassword: fail }')).toMatchObject({
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

test('quotes the name of a table that is also that of a form field of the provider', async () => {
  const { lines } = await examine(`KyselyAdapter(db, { with: ['passwords'] })`, 'Password()')
  expect(lines).toEqual([expect.stringContaining('The table "passwords"')])
})

test('reports that the sign-in page offers neither sign-up nor reset', async () => {
  const { configuration } = await examine('MemoryAdapter()', 'Password()')
  expect(configuration.join()).toContain('neither sign-up nor reset of passwords')
  const { configuration: chosen } = await examine('MemoryAdapter()', 'Password({ signUp: false })')
  expect(chosen.join()).not.toContain('neither')
})

test('reports an updateAge with which sessions are never extended', async () => {
  const { configuration } = await examine('undefined', 'password', 'maxAge: 3600, updateAge: 86400')
  expect(configuration.join()).toContain('session.updateAge (86400 seconds) is not lower')
  expect(configuration.join()).toContain('sessions are never extended')
  const lifetime = 'maxAge: 3600, updateAge: 3600, lifetime: () => ({ idle: 600 })'
  const { configuration: own } = await examine('undefined', 'password', lifetime)
  expect(own.join()).toContain(
    'a session is extended only if its idle timeout, which session.lifetime',
  )
  const { configuration: chosen } = await examine('undefined', 'password', 'maxAge: 3600')
  expect(chosen.join()).not.toContain('updateAge')
})
