/** Tables that are not as they should be: the log says what to run, the visitor learns nothing, and then it works. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { Kysely, SqliteDialect } from 'kysely'
import Database from 'libsql'
import { afterAll, expect, test } from 'vitest'
import DrizzleAdapter from '../../src/adapters/drizzle.ts'
import type { Adapter } from '../../src/adapters/index.ts'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { migrate } from '../../src/cli/database/migrate.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor } from '../config.ts'
import { sqliteTables } from './drizzle-tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'lib-auth-schema-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const op = await issuer({ algorithm: 'ES256' })
const nothing = () => undefined
const silent = {
  print: nothing,
  complain: nothing,
  progress: nothing,
  confirm: async () => true,
}

function siteOver(adapter: Adapter) {
  const { config, log } = configFor(op, { adapter, session: { strategy: 'database' } })
  return { tab: browser(config, { issuer: op }), log }
}

const LATER = 'https://app.test/auth/error?error=TemporarilyUnavailable'

test.each([
  ['a table that is missing', 'drop table accounts', /accounts/],
  ['another table of the same query', 'drop table users', /no such table: .*users/],
  ['a table for sessions', 'drop table sessions', /"sessions"/],
  ['a column that is missing', 'alter table users drop column image', /"users".*image/],
  ['a column for tokens', 'alter table accounts drop column id_token', /"accounts".*id_token/],
])('%s is named in the log with the command that adds it', async (_name, change, named) => {
  const file = join(folder, `${crypto.randomUUID()}.db`)
  const url = `file:${file}`
  await migrate({ url, isAgreed: true }, silent)
  const database = new Database(file)
  database.pragma('foreign_keys = off')
  database.exec(change)
  const adapter = KyselyAdapter(new Kysely<object>({ dialect: new SqliteDialect({ database }) }))
  const { tab, log } = siteOver(adapter)
  const response = await tab.signIn('op')
  expect(response.headers.get('location')).toBe(LATER)
  const page = await (await tab.follow(response)).text()
  expect(page).not.toMatch(/users|accounts|sessions|migrate|no such/)
  const said = inspect(log.errors, { depth: null })
  expect(said).toMatch(named)
  expect(said).toContain('npx lib-auth migrate --url')
  await migrate({ url, isAgreed: true }, silent)
  await tab.signIn('op')
  expect((await tab.session())?.user?.email).toBe('ada@example.com')
  database.close()
})

test('with Drizzle, too', async () => {
  const client = createClient({ url: `file:${join(folder, 'drizzle.db')}` })
  const { tab, log } = siteOver(DrizzleAdapter(drizzle(client), sqliteTables))
  const response = await tab.signIn('op')
  expect(response.headers.get('location')).toBe(LATER)
  const said = inspect(log.errors, { depth: null })
  expect(said).toMatch(/no such table: people_accounts.*npx drizzle-kit migrate/)
  client.close()
})
