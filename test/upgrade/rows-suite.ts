/** What this release does with the rows of an earlier one. */
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { planFor } from '../../src/cli/database/plan.ts'
import type { AuthConfig } from '../../src/index.ts'
import { Password } from '../../src/password.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { oidc, SECRET, silentLog } from '../config.ts'
import { dumpRows, openDatabase, OPTIONS, runAll, statementsIn } from './databases.ts'
import type { FrozenDialect } from './databases.ts'
import { AT, USERS } from './rows.ts'
import type { FullAdapter } from './rows.ts'

const here = new URL('./', import.meta.url)

export interface LoadedRows {
  readonly adapter: FullAdapter
  readonly dump: () => Promise<unknown>
  readonly close: () => Promise<unknown>
}

/** The application has a column of its own, which rows of the library do not set. */
async function openTables(version: string, dialect: FrozenDialect, url?: string) {
  const database = await openDatabase(dialect, url)
  const text = readFileSync(new URL(`${version}/database/rows.${dialect}.sql`, here), 'utf8')
  await runAll(database, statementsIn(text))
  const { db } = database
  await sql.raw("alter table users add column role varchar(9) not null default 'guest'").execute(db)
  await sql.raw("update users set role = 'admin' where id = 'ada'").execute(db)
  return database
}

/** A database with tables, which needs no migration. */
export function testTables(version: string, dialect: FrozenDialect, url?: string): void {
  describe(`the rows of ${version}, ${dialect}`, () => {
    test('need no migration, and keep the columns of the application', async () => {
      const database = await openTables(version, dialect, url)
      expect(await planFor(database, { dialect, ...OPTIONS })).toMatchObject({
        steps: [],
        obstacles: [],
      })
      const adapter = KyselyAdapter(database.db, OPTIONS)
      await adapter.updateUser({ id: 'ada', name: 'Countess' })
      await adapter.deleteUser('mixed')
      const read = sql<{ id: string; role: string }>`select id, role from users`
      const { rows } = await read.execute(database.db)
      const admins = rows.filter(({ role }) => role === 'admin').map(({ id }) => id)
      expect([rows.length, admins]).toEqual([USERS.length - 1, ['ada']])
      await database.db.destroy()
    })

    testRows(async () => {
      const database = await openTables(version, dialect, url)
      return {
        adapter: KyselyAdapter(database.db, OPTIONS),
        dump: () => dumpRows(database),
        close: () => database.db.destroy(),
      }
    })
  })
}

export function testRows(open: () => Promise<LoadedRows>): void {
  test('are read completely, and reading changes nothing', async () => {
    const { adapter, dump, close } = await open()
    const before = await dump()
    for (const [id, name, email, emailVerified] of USERS) {
      const user = { id, name, email, emailVerified, image: null }
      expect(await adapter.getUser(id)).toMatchObject(user)
      expect(await adapter.getUserByEmail(email)).toMatchObject(user)
      for (const provider of ['op', 'posted']) {
        const key = { provider, providerAccountId: `${provider}:${id}` }
        expect(await adapter.getUserByAccount(key)).toMatchObject(user)
      }
      const account = (await adapter.listAccounts(id)).find(({ provider }) => provider === 'posted')
      expect(account).toMatchObject({ refresh_token: `sealed ' ${id}`, expires_at: 1_767_323_045 })
      const found = await adapter.getSessionAndUser(`session of ${id}`)
      expect(found?.user).toMatchObject(user)
      expect(found?.session.expires).toBeInstanceOf(Date)
      const [passkey] = await adapter.listAuthenticatorsByUserId(id)
      expect(passkey).toMatchObject({
        credentialID: `key of ${id}`,
        counter: 7,
        credentialBackedUp: true,
      })
      expect((await adapter.getPassword(id))?.changed).toEqual(new Date(AT))
      expect(await adapter.listFactors(id)).toMatchObject([
        { confirmed: false, created: new Date(AT) },
      ])
    }
    expect(await dump()).toEqual(before)
    await close()
  })

  test('take sign-ins, links and deletions', async () => {
    const { adapter, close } = await open()
    const op = await issuer({ algorithm: 'ES256' })
    const { logger, log } = silentLog()
    const config: AuthConfig = {
      adapter,
      providers: [oidc(op), Password()],
      account: { send: () => undefined },
      session: { strategy: 'database' },
      secret: SECRET,
      trustHost: true,
      fetch: op.fetch,
      logger,
    }
    const openTab = () => browser(config, { issuer: op })
    const provider = openTab()
    await provider.signIn('op', { sub: 'op:ada', name: 'Ada Lovelace', email: 'ada@example.com' })
    expect((await provider.session())?.user?.email).toBe('ada@example.com')
    const withPassword = openTab()
    const fields = { email: "o'brien@example.com", password: 'the password of quote' }
    await withPassword.post('callback/password', fields)
    expect((await withPassword.session())?.user?.name).toBe("Miles O'Brien; --")
    await withPassword.signIn('op', { sub: 'another account', name: 'Miles' })
    const accounts = await adapter.listAccounts('quote')
    expect(accounts.map(({ providerAccountId }) => providerAccountId)).toContain('another account')
    await adapter.deleteUser('mixed')
    expect(
      await adapter.getUserByAccount({ provider: 'op', providerAccountId: 'op:mixed' }),
    ).toBeNull()
    expect(log.errors).toEqual([])
    await close()
  })
}
