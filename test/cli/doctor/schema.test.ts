/** `doctor` names the release that the database is complete for; test/upgrade/schema-state.test.ts has each state. */
import { afterAll, expect, test } from 'vitest'
import { ownVersion } from '../../../src/cli/own-version.ts'
import { runIn } from '../program.ts'
import { applicationWith, cleanUp, ENV, runDoctor } from './run-doctor.ts'

afterAll(cleanUp)

const own = ownVersion().split('.', 2).join('.')

test('the program prints it for the names and tables of the adapter, also as JSON', async () => {
  const code = `
    import { Kysely, SqliteDialect } from '${import.meta.resolve('kysely')}'
    import KyselyAdapter from 'lib-auth/adapters/kysely'
    import { openSqlite } from 'lib-auth/adapters/sqlite'
    const db = new Kysely({ dialect: new SqliteDialect({ database: () => openSqlite('app.db') }) })
    const password = { id: 'password', name: 'Password', type: 'credentials', authorize: () => null }
    const adapter = KyselyAdapter(db, { tables: { users: 'people' }, with: ['records'] })
    export const config = { providers: [password], session: { strategy: 'jwt' }, adapter }
  `
  const folder = applicationWith({ 'auth.mjs': code })
  const migrate = ['migrate', '--url', 'file:app.db', '--table', 'users=people', '--yes']
  expect((await runIn(folder, migrate)).status).toBe(0)
  const { about, code: exit } = await runDoctor(folder, [], ENV)
  const needed = `complete for lib-auth 0.1; lib-auth ${own} with the options of this configuration needs 3 statements, additive.`
  const advice =
    'Print it: npx lib-auth migrate --dry-run --with records, with the options for the names of your tables'
  expect(about('schema')).toEqual([`! schema: ${needed} → ${advice}`])
  expect(exit).toBe(0)
  expect((await runIn(folder, [...migrate, '--with', 'records'])).status).toBe(0)
  const { text } = await runDoctor(folder, ['--json'], ENV)
  expect(JSON.parse(text)).toMatchObject({
    findings: expect.arrayContaining([
      {
        level: 'ok',
        about: 'schema',
        what: `complete for lib-auth ${own}; tables factors, passwords are missing and not used.`,
      },
    ]),
  })
})
