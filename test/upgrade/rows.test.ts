/** This release works on the database of each earlier one, without a migration. */
import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { planFor } from '../../src/cli/database/plan.ts'
import type { AuthConfig } from '../../src/index.ts'
import { Password } from '../../src/password.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { oidc, SECRET, silentLog } from '../config.ts'
import { DIALECTS, dumpRows, openDatabase, OPTIONS, runAll } from './databases.ts'
import type { FrozenDatabase, FrozenDialect } from './databases.ts'
import { AT, USERS } from './rows.ts'

const here = new URL('./', import.meta.url)
const versions = readdirSync(here).filter((name) => /^\d/.test(name))
const combinations = versions.flatMap((version) =>
  DIALECTS.map((dialect) => [version, dialect] as const),
)

afterEach(() => void vi.useRealTimers())

/** The application has a column of its own, which rows of the library do not set. */
async function open(version: string, dialect: FrozenDialect): Promise<FrozenDatabase> {
  const database = openDatabase(dialect)
  const text = readFileSync(new URL(`${version}/database/rows.${dialect}.sql`, here), 'utf8')
  await runAll(database, text)
  await sql
    .raw("alter table users add column role text not null default 'guest'")
    .execute(database.db)
  await sql.raw("update users set role = 'admin' where id = 'ada'").execute(database.db)
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(AT + 1000)
  return database
}

const adapterOf = ({ db }: FrozenDatabase) => KyselyAdapter(db, OPTIONS)

describe.each(combinations)('the database of %s on %s', (version, dialect) => {
  test('needs no migration', async () => {
    const database = await open(version, dialect)
    expect(await planFor(database, { dialect, ...OPTIONS })).toMatchObject({
      steps: [],
      obstacles: [],
    })
    await database.db.destroy()
  })

  test('is read completely, and reading changes nothing', async () => {
    const database = await open(version, dialect)
    const before = await dumpRows(database)
    const adapter = adapterOf(database)
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
    expect(await dumpRows(database)).toEqual(before)
    await database.db.destroy()
  })

  test('takes sign-ins, links and deletions, and keeps the columns of the application', async () => {
    const database = await open(version, dialect)
    const op = await issuer({ algorithm: 'ES256' })
    const { logger, log } = silentLog()
    const adapter = adapterOf(database)
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
    const { rows } = await sql<{ id: string; role: string }>`select id, role from users`.execute(
      database.db,
    )
    const admins = rows.filter(({ role }) => role === 'admin').map(({ id }) => id)
    expect([rows.length, admins]).toEqual([USERS.length - 1, ['ada']])
    await database.db.destroy()
  })
})
