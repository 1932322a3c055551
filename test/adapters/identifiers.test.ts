/** Hostile identifiers of providers, forms and cookies are stored exactly or rejected, without partial rows. */
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import Database from 'libsql'
import { Pool } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import type { SqlDialect } from '../../src/cli/database/create-tables.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, oidc } from '../config.ts'
import { mailProvider, WRONG, SPENT } from '../email.ts'
import { SESSION } from '../sessions.ts'
import { withDatabases } from './databases.ts'
import { orphansIn } from './outage/sql.ts'

const longText = Array.from({ length: 280 }, () => crypto.randomUUID()).join('')

const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['quotes', `o'"\\; drop table users; --`],
  ['NUL', 'ada\0lovelace'],
  ['an emoji', 'ada🦊'],
  ['half an emoji', 'ada\uD83E'],
  ['10 kB', longText],
]

const op = await issuer({ algorithm: 'ES256' })

function testTexts(db: Kysely<object>): void {
  const { config } = configFor(op, {
    providers: [oidc(op), mailProvider([])],
    adapter: KyselyAdapter(db),
    session: { strategy: 'database' },
  })
  const open = () => browser(config, { issuer: op })

  async function users(): Promise<number> {
    const { rows } = await sql`select id from users`.execute(db)
    return rows.length
  }

  async function accounts(): Promise<number> {
    const { rows } = await sql`select "userId" from accounts`.execute(db)
    return rows.length
  }

  test.each(TEXTS)(
    'signs in with a provider account id that contains %s, or rejects it',
    async (_name, text) => {
      const before = await users()
      const tab = open()
      const person = { sub: text, email: `${crypto.randomUUID()}@example.com`, name: text }
      const response = await tab.signIn('op', person)
      expect(response.status).toBe(302)
      const isSignedIn = (await tab.session()) !== null
      expect((await users()) - before).toBe(isSignedIn ? 1 : 0)
      expect(await accounts()).toBe(await users())
      const again = open()
      await again.signIn('op', person)
      expect((await again.session())?.user?.email).toBe(isSignedIn ? person.email : undefined)
      const other = { sub: text.slice(0, 3), email: `${crypto.randomUUID()}@example.com` }
      await tab.post('signout')
      await tab.signIn('op', other)
      expect((await tab.session())?.user?.email).toBe(other.email)
      await sql`delete from users`.execute(db)
      expect(await orphansIn(db)).toBe(0)
    },
  )

  const PROFILES: readonly (readonly [what: string, claims: object, shown: object])[] = [
    ['a name with NUL in it', { name: 'Ada\0 Lovelace\0' }, { name: 'Ada Lovelace' }],
    ['a name that consists of NUL', { name: '\0' }, { name: '' }],
    ['no name', { name: null }, { name: null }],
    [
      'a picture with NUL in it',
      { picture: 'https://img.test/\0ada.png' },
      { image: 'https://img.test/ada.png' },
    ],
    [
      'a picture that is a script without NUL',
      { picture: 'java\0script:alert(1)' },
      { image: null },
    ],
  ]

  test.each(PROFILES)('signs in with %s in the profile', async (_what, claims, shown) => {
    const email = `${crypto.randomUUID()}@example.com`
    const person = { sub: crypto.randomUUID(), email, name: 'Ada', ...claims }
    const [tab, again] = [open(), open()]
    for (const each of [tab, again]) {
      await each.signIn('op', person)
      expect((await each.session())?.user).toMatchObject({ email, ...shown })
    }
    const stored = await sql`select name, image from users where email = ${email}`.execute(db)
    expect(stored.rows).toEqual([expect.objectContaining(shown)])
    expect(await accounts()).toBe(1)
    await sql`delete from users`.execute(db)
  })

  test('treats an identifier with NUL as a different user', async () => {
    const ada = { sub: 'adalovelace', email: 'ada@example.com', email_verified: true }
    await open().signIn('op', ada)
    const { rows } = await sql`select * from users`.execute(db)
    const [byId, byAddress] = [open(), open()]
    await byId.signIn('op', { ...ada, sub: 'ada\0lovelace', email: 'eve@evil.test' })
    expect((await byId.session())?.user?.email).not.toBe(ada.email)
    await byAddress.signIn('op', { ...ada, sub: 'eve', email: 'ada\0@example.com' })
    expect((await byAddress.session())?.user?.email).not.toBe(ada.email)
    const owned = await sql`select * from accounts join users on users.id = "userId"
      where email = ${ada.email}`.execute(db)
    expect(owned.rows).toHaveLength(1)
    const now = await sql`select * from users where email = ${ada.email}`.execute(db)
    expect(now.rows).toEqual(rows)
    await sql`delete from users`.execute(db)
    expect(await orphansIn(db)).toBe(0)
  })

  test.each(TEXTS)(
    'sends a magic link to an address with %s, or rejects it',
    async (_name, text) => {
      const response = await open().post('signin/email', { email: `${text}@example.com` })
      expect([302, 413]).toContain(response.status)
      const link = new URLSearchParams({ email: `${text}@example.com`, token: text })
      const page = await open().request(`callback/email?${link}`)
      expect(page.status).toBeLessThan(500)
      const tab = open()
      const used = await tab.post('callback/email', Object.fromEntries(link))
      // A short token is checked as a code.
      if (used.status !== 413) expect([SPENT, WRONG]).toContain(used.headers.get('location'))
      expect(await tab.session()).toBeNull()
      expect(await users()).toBe(0)
    },
  )

  test.each(TEXTS)('finds no session for a cookie with %s', async (_name, text) => {
    const tab = open()
    tab.cookies.set(SESSION, encodeURIComponent(text.replace(/\p{Surrogate}/u, '')))
    expect(await tab.session()).toBeNull()
  })
}

async function makeTables(db: Kysely<object>, dialect: SqlDialect): Promise<void> {
  for (const { statement } of createTables({ dialect })) await sql.raw(statement).execute(db)
}

const sqlite = new Kysely<object>({
  dialect: new SqliteDialect({ database: new Database(':memory:') }),
})
await makeTables(sqlite, 'sqlite')
describe('SQLite', () => testTexts(sqlite))

await withDatabases(['postgres'], async ({ postgres }) => {
  const pool = new Pool({ connectionString: postgres.url })
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
  await makeTables(db, 'postgres')
  afterAll(() => db.destroy())
  describe('PostgreSQL', () => testTexts(db))
})
