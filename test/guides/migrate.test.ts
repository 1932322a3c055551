/** docs/migrate: users of another library sign in here, with the same ids. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash as argon2Hash } from '@node-rs/argon2'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { openSqlite } from '../../src/adapters/sqlite.ts'
import { getSession, setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import { runIn } from '../cli/program.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'
import type { Guide } from './guide.ts'

const PASSWORD = 'correct horse battery staple'
const folder = mkdtempSync(join(tmpdir(), 'lib-auth-migrate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Configuration {
  readonly config: AuthConfig
  readonly adapter: Required<Adapter>
}

type SignUp = (user: { email: string; name: string; password: string }) => Promise<{
  readonly user: { readonly id: string }
}>

let file: string

beforeEach(() => {
  stubGuideEnvironment()
  file = join(mkdtempSync(join(folder, 'db-')), 'app.db')
  vi.stubEnv('DATABASE_FILE', file)
})
afterEach(() => void vi.unstubAllEnvs())

/** The configuration of a guide, as a wrapper completes it. */
function completed(config: AuthConfig): AuthConfig {
  const own = { ...config, trustHost: true }
  setEnvDefaults(process.env, own)
  return own
}

const openOld = () =>
  new Kysely<object>({ dialect: new SqliteDialect({ database: () => openSqlite(file) }) })

/** Runs the command of the guide that creates the tables of this library. */
async function migrate(guide: Guide): Promise<void> {
  const [commands = ''] = guide.blocks('sh')
  const words = /npx lib-auth (migrate .*)/.exec(commands)?.[1]?.replace('app.db', file) ?? ''
  const { status, stderr } = await runIn(folder, [...words.split(' '), '--yes'])
  expect([status, stderr.replace(/^schema: .*\n/, '')]).toEqual([0, ''])
}

/** Signs in with a password; returns the id of the user in the session. */
async function idAfterSignIn(config: AuthConfig, email: string, password: string) {
  const site = completed({
    ...config,
    callbacks: {
      session: ({ session, user, token }) => ({ ...session, id: user?.id ?? token?.sub }),
    },
  })
  const tab = browser(site, { basePath: config.basePath ?? '/auth' })
  await tab.post('callback/password', { email, password })
  return tab.session()
}

test('docs/migrate/better-auth.md moves users, accounts and passwords', async () => {
  const old = openOld()
  const { openBetterAuth } = (await import(
    String(new URL('../../bench/better-auth.mjs', import.meta.url))
  )) as { openBetterAuth: (db: Kysely<object>) => Promise<SignUp> }
  const signUp = await openBetterAuth(old)
  const { user } = await signUp({ email: 'Ada@example.com', name: 'Ada', password: PASSWORD })
  await sql`INSERT INTO account (id, accountId, providerId, userId, createdAt, updatedAt)
    VALUES ('1', '583231', 'github', ${user.id}, ${new Date().toISOString()}, ${new Date().toISOString()})`.execute(
    old,
  )

  const guide = openGuide('better-auth', 'docs/migrate/better-auth.md')
  await migrate(guide)
  const { config, adapter } = await guide.load<Configuration>('config.ts')
  const { move } = await guide.load<{ move: () => Promise<string[]> }>('move.ts')
  expect(await move()).toEqual([])
  expect(await move()).toEqual([])

  expect(await idAfterSignIn(config, 'ada@example.com', 'wrong horse')).toBeNull()
  expect(await idAfterSignIn(config, 'ada@example.com', PASSWORD)).toMatchObject({ id: user.id })
  const account = { provider: 'github', providerAccountId: '583231' }
  expect((await adapter.getUserByAccount(account))?.id).toBe(user.id)
})

test('docs/migrate/lucia.md moves users, accounts and passwords, and keeps sessions', async () => {
  const old = openOld()
  const expires = Math.floor(Date.now() / 1000) + 3600
  for (const statement of [
    sql`CREATE TABLE user (id TEXT NOT NULL PRIMARY KEY, email TEXT NOT NULL, email_verified INTEGER NOT NULL, password_hash TEXT)`,
    sql`CREATE TABLE oauth_account (provider_id TEXT, provider_user_id TEXT, user_id TEXT)`,
    sql`CREATE TABLE session (id TEXT NOT NULL PRIMARY KEY, expires_at INTEGER NOT NULL, user_id TEXT NOT NULL)`,
    sql`INSERT INTO user VALUES ('u1', 'Ada@example.com', 1, ${await argon2Hash(PASSWORD)})`,
    sql`INSERT INTO oauth_account VALUES ('github', '583231', 'u1')`,
    sql`INSERT INTO session VALUES ('zmi4fjjvtdfdwuagvyurkvcdl6ktpdsyqcq4pbfy', ${expires}, 'u1')`,
    sql`INSERT INTO session VALUES ('expired4fjjvtdfdwuagvyurkvcdl6ktpdsyqcqz', ${expires - 7200}, 'u1')`,
  ])
    await statement.execute(old)

  const guide = openGuide('lucia', 'docs/migrate/lucia.md')
  await migrate(guide)
  const { config, adapter } = await guide.load<Configuration>('config.ts')
  const { move } = await guide.load<{ move: () => Promise<void> }>('move.ts')
  await move()
  await move()

  const session = (token: string) =>
    getSession(
      new Request('https://app.test/', {
        headers: { host: 'app.test', cookie: `auth_session=${token}` },
      }),
      completed(config),
    )
  expect(await session('zmi4fjjvtdfdwuagvyurkvcdl6ktpdsyqcq4pbfy')).toMatchObject({
    session: { user: { email: 'ada@example.com' } },
  })
  expect(await session('expired4fjjvtdfdwuagvyurkvcdl6ktpdsyqcqz')).toMatchObject({
    session: null,
  })
  expect(await idAfterSignIn(config, 'ada@example.com', PASSWORD)).toMatchObject({ id: 'u1' })
  const account = { provider: 'github', providerAccountId: '583231' }
  expect((await adapter.getUserByAccount(account))?.id).toBe('u1')
})

test('docs/migrate/next-auth-4.md keeps database sessions', async () => {
  const [, , kept = ''] = openGuide('next-auth-4', 'docs/migrate/next-auth-4.md').blocks('ts')
  const name = /name: '([^']+)'/.exec(kept)?.[1] ?? ''
  const adapter = MemoryAdapter()
  const user = { id: 'u1', name: 'Ada', email: 'ada@example.com', emailVerified: null, image: null }
  const { id: userId } = await adapter.createUser(user)
  const sessionToken = '0f4b7a8e-9b7d-4a5f-8a51-0d7f5e1c2b3a'
  await adapter.createSession({ sessionToken, userId, expires: new Date(Date.now() + 3_600_000) })
  const headers = { host: 'app.test', cookie: `${name}=${sessionToken}` }
  const session = await getSession(new Request('https://app.test/', { headers }), {
    adapter,
    providers: [],
    trustHost: true,
    secret: String(process.env['AUTH_SECRET']),
    session: { strategy: 'database' },
    cookies: { sessionToken: { name } },
  })
  expect(session).toMatchObject({ session: { user: { email: 'ada@example.com' } } })
})
