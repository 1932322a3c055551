/** What this release does with the rows of an earlier one. */
import { existsSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { planFor } from '../../src/cli/database/plan.ts'
import type { AuthConfig } from '../../src/index.ts'
import { Password } from '../../src/password.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { oidc, SECRET, silentLog } from '../config.ts'
import { requestOf, valueOf } from '../core/account/account-site.ts'
import { appCode } from '../core/factors/app-code.ts'
import { dumpRows, openDatabase, OPTIONS, runAll, statementsIn } from './databases.ts'
import type { FrozenDialect } from './databases.ts'
import { loadLibrary } from './library.ts'
import { AT, NAMED, usersOf } from './rows.ts'
import type { FullAdapter } from './rows.ts'
import { ACTIVE, methodsOf, openRowsSite, withCookies } from './rows-site.ts'
import type { KeptOfRows } from './rows-site.ts'

const here = new URL('./', import.meta.url)

/** What users of a store have kept, unless the release froze rows only. */
function keptOf(version: string, store: string): KeptOfRows | undefined {
  const file = new URL(`${version}/database/kept.json`, here)
  if (!existsSync(file)) return undefined
  return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, KeptOfRows>)[store]
}

export interface LoadedRows {
  readonly adapter: FullAdapter
  readonly dump: () => Promise<unknown>
  readonly close: () => Promise<unknown>
}

/** Where rows are: `rows` of a dialect, `named` with ids and names of another form, or `redis`. */
export interface Store {
  readonly version: string
  readonly store: string
}

export interface StoredTables extends Store {
  readonly dialect: FrozenDialect
  readonly url?: string
}

/** The application has a column of its own, which rows of the library do not set. */
export async function openTables({ version, store, dialect, url }: StoredTables) {
  const database = await openDatabase(dialect, url)
  const text = readFileSync(new URL(`${version}/database/${store}.sql`, here), 'utf8')
  await runAll(database, statementsIn(text))
  const { db } = database
  await sql.raw("alter table users add column role varchar(9) not null default 'guest'").execute(db)
  await sql.raw("update users set role = 'admin' where name = 'Ada Lovelace'").execute(db)
  return database
}

/** The databases with tables of a release, which need no migration. */
export function testTables(version: string, dialect: FrozenDialect, url?: string): void {
  for (const [name, options] of [['rows', OPTIONS] as const, ['named', NAMED] as const]) {
    const given = { version, store: `${name}.${dialect}`, dialect, ...(url && { url }) }
    if (!existsSync(new URL(`${version}/database/${given.store}.sql`, here))) continue
    describe(`the ${name} of ${version}, ${dialect}`, () => {
      test('need no migration, and keep the columns of the application', async () => {
        const database = await openTables(given)
        const { steps, obstacles } = await planFor(database, { dialect, ...options })
        // SQLite has no index for a key that is an integer, and `migrate` adds one.
        const needed = steps.filter(({ title }) => title !== 'create index passwords_user_id')
        expect([needed, obstacles]).toEqual([[], []])
        const adapter = KyselyAdapter(database.db, options)
        const idOf = async (provider: string, providerAccountId: string) =>
          (await adapter.getUserByAccount({ provider, providerAccountId }))?.id ?? ''
        const id = await idOf('op', 'op:ada')
        await adapter.updateUser({ id, name: 'Countess' })
        await adapter.deleteUser(await idOf('op', 'op:mixed'))
        const read = sql<{ name: string; role: string }>`select name, role from users`
        const { rows } = await read.execute(database.db)
        const admins = rows.filter(({ role }) => role === 'admin').map((row) => row.name)
        const { length } = usersOf(version, given.store)
        expect([rows.length, admins]).toEqual([length - 1, ['Countess']])
        await database.db.destroy()
      })

      testRows(given, async () => {
        const database = await openTables(given)
        return {
          adapter: KyselyAdapter(database.db, options),
          dump: () => dumpRows(database),
          close: () => database.db.destroy(),
        }
      })
    })
  }
}

export function testRows({ version, store }: Store, open: () => Promise<LoadedRows>): void {
  const users = usersOf(version, store)
  const kept = keptOf(version, store)
  const idOf = (label: string) => kept?.ids[label] ?? label

  test('are read completely, and reading changes nothing', async () => {
    const { adapter, dump, close } = await open()
    const before = await dump()
    for (const [label, name, email, emailVerified] of users) {
      const id = idOf(label)
      const user = { id, name, ...(email !== null && { email }), emailVerified, image: null }
      expect(await adapter.getUser(id)).toMatchObject(user)
      if (email !== null) expect(await adapter.getUserByEmail(email)).toMatchObject(user)
      for (const provider of ['op', 'posted']) {
        const key = { provider, providerAccountId: `${provider}:${label}` }
        expect(await adapter.getUserByAccount(key)).toMatchObject(user)
      }
      const account = (await adapter.listAccounts(id)).find(({ provider }) => provider === 'posted')
      expect(account).toMatchObject({
        refresh_token: `sealed ' ${label}`,
        expires_at: 1_767_323_045,
      })
      const found = await adapter.getSessionAndUser(`session of ${label}`)
      expect(found?.user).toMatchObject(user)
      expect(found?.session.expires).toBeInstanceOf(Date)
      expect(await adapter.getAuthenticator(`key of ${label}`)).toMatchObject({
        userId: id,
        counter: 7,
        credentialBackedUp: true,
      })
      expect((await adapter.getPassword(id))?.changed).toEqual(new Date(AT))
      const factors = await adapter.listFactors(id)
      expect(factors.find((factor) => factor.id === `app of ${label}`)).toMatchObject({
        confirmed: false,
        created: new Date(AT),
      })
    }
    expect(await dump()).toEqual(before)
    await close()
  })

  if (kept) {
    test('keep sessions, tokens of providers and revocations', async () => {
      const { adapter, close } = await open()
      const library = await loadLibrary()
      const site = await openRowsSite(adapter, library)
      const tab = withCookies(site.openTab(), kept.cookies)
      expect((await tab.session())?.user?.id).toBe(idOf(ACTIVE))
      const token = library.core.getAccessToken(requestOf(tab), site.config, 'sealed')
      expect((await valueOf(tab, token)).accessToken).toBe(kept.accessToken)
      const stored = await adapter.getAccount(`sealed:${ACTIVE}`, 'sealed')
      expect(stored?.access_token).toMatch(/^lib1\./)
      const { openTab } = await openRowsSite(adapter, library, { strategy: 'jwt', revocation: {} })
      const readName = async (cookies: KeptOfRows['tokens']['live']) =>
        (await withCookies(openTab(), cookies).session())?.user?.name
      expect(await readName(kept.tokens.live)).toBe('Ada Lovelace')
      expect(await readName(kept.tokens.ended)).toBeUndefined()
      expect(site.log.errors).toEqual([])
      await close()
    })

    test('sign every user in by every method, with a second step for those who have an app', async () => {
      const { adapter, close } = await open()
      const site = await openRowsSite(adapter, await loadLibrary())
      for (const user of users) {
        const [label] = user
        const hasApp = label === ACTIVE
        const codes = [await appCode(kept.secret), ...kept.recoveryCodes]
        for (const [method, signIn] of Object.entries(methodsOf(site, user, kept))) {
          const tab = site.openTab()
          await signIn(tab)
          if (hasApp && method !== 'passkey') {
            expect(await tab.session()).toBeNull()
            await tab.post('step-up', { code: codes.shift() ?? '' })
          }
          const id = (await tab.session())?.user?.id
          expect([label, method, id]).toEqual([label, method, idOf(label)])
        }
      }
      expect(site.log.errors).toEqual([])
      await close()
    })
  }

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
    const accounts = await adapter.listAccounts(idOf('quote'))
    expect(accounts.map(({ providerAccountId }) => providerAccountId)).toContain('another account')
    await adapter.deleteUser(idOf('mixed'))
    expect(
      await adapter.getUserByAccount({ provider: 'op', providerAccountId: 'op:mixed' }),
    ).toBeNull()
    expect(log.errors).toEqual([])
    await close()
  })
}
