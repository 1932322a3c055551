/** docs/guides/import-users.md */
import { createHash, scryptSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash as argon2Hash } from '@node-rs/argon2'
import { hash as bcryptHash } from 'bcryptjs'
import { Kysely, SqliteDialect } from 'kysely'
import Database from 'libsql'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { openSqlite } from '../../src/adapters/sqlite.ts'
import type { AuthConfig } from '../../src/index.ts'
import type { CredentialsConfig } from '../../src/providers/index.ts'
import { Password } from '../../src/password.ts'
import type { VerifyLegacyPassword } from '../../src/password.ts'
import { browser } from '../../src/testing/index.ts'
import { runIn } from '../cli/program.ts'
import { appCode } from '../core/factors/app-code.ts'
import { countHashes } from '../core/password/password-site.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('import-users')
const folder = mkdtempSync(join(tmpdir(), 'lib-auth-import-users-'))
const path = join(folder, 'app.db')
const RIGHT = 'short'
const WRONG = 'wrong horse battery staple'
const KEY = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

interface OldUser {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly emailVerified: Date | null
  readonly passwordHash: string | null
  readonly totpSecret: string | null
}

interface Script {
  readonly importUser: (user: OldUser) => Promise<'imported' | 'conflict'>
  readonly importUsers: (users: readonly OldUser[]) => Promise<string[]>
}

interface Configuration {
  readonly config: AuthConfig
  readonly adapter: Required<Adapter>
}

beforeAll(async () => {
  stubGuideEnvironment()
  vi.stubEnv('DATABASE_FILE', path)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(() => void countHashes())

/** What a query returns. */
function select(query: string): unknown[] {
  const database = new Database(path)
  try {
    return database.prepare(query).all()
  } finally {
    database.close()
  }
}

async function migrate(): Promise<void> {
  const [command = ''] = guide.blocks('sh')
  const words = command.replace('npx lib-auth ', '').split(' ')
  const { status, stderr } = await runIn(folder, [...words, '--yes'])
  expect([status, stderr.replace(/^schema: .*\n/, '')]).toEqual([0, ''])
}

const userOf = (id: string, given: Partial<OldUser>): OldUser => ({
  id,
  email: `${id}@example.com`,
  name: id,
  emailVerified: new Date(0),
  passwordHash: null,
  totpSecret: null,
  ...given,
})

/** A browser at a site whose only provider checks passwords. */
function open(config: AuthConfig, id = 'password') {
  const tab = browser({ ...config, trustHost: true })
  return {
    enter: async (email: string, password: string) => {
      const response = await tab.post(`callback/${id}`, { email, password })
      return response.headers.get('location')
    },
    code: async (code: string) => (await tab.post('step-up', { code })).headers.get('location'),
    email: async () => (await tab.session())?.user?.email ?? null,
  }
}

describe('users of another system', () => {
  let script: Script
  let site: Configuration
  let users: OldUser[]

  beforeAll(async () => {
    await migrate()
    site = await guide.load<Configuration>('config.ts')
    script = await guide.load<Script>('import-users.ts')
    const salt = '00112233445566778899aabbccddeeff'
    users = [
      userOf('bcrypt', { email: 'BCrypt@Example.com', passwordHash: await bcryptHash(RIGHT, 4) }),
      userOf('php', {
        passwordHash: (await bcryptHash(RIGHT, 4)).replace('$2b$', '$2y$'),
      }),
      userOf('argon2', { passwordHash: await argon2Hash(RIGHT), totpSecret: KEY }),
      userOf('argon2i', {
        passwordHash: await argon2Hash(RIGHT, { algorithm: 1 }),
      }),
      userOf('scrypt', { passwordHash: `${salt}:${scryptSync(RIGHT, salt, 64).toString('hex')}` }),
      userOf('federated', {}),
    ]
    expect(await script.importUsers(users)).toEqual([])
  })

  test.each(['bcrypt', 'php', 'argon2', 'argon2i', 'scrypt'])(
    'a user with a hash of %s signs in with the old password, which is hashed again',
    async (id) => {
      const { config, adapter } = site
      const tab = open(config)
      const before = await adapter.getPassword(id)
      expect(before?.hash).toBe(users.find((each) => each.id === id)?.passwordHash)
      const location = await tab.enter(`${id}@example.com`, RIGHT)
      if (id === 'argon2') {
        expect(location).toBe('https://app.test/auth/step-up')
        expect(await tab.email()).toBeNull()
        expect(await tab.code(await appCode(KEY))).toBe('https://app.test')
      }
      expect(await tab.email()).toBe(`${id}@example.com`)
      const after = await adapter.getPassword(id)
      expect(after?.hash).toMatch(/^\$scrypt\$/)
      expect(after?.changed).toEqual(before?.changed)
    },
  )

  test('a wrong password is rejected before and after, and legacy is needed no more', async () => {
    const user = userOf('grace', { passwordHash: await bcryptHash(RIGHT, 4) })
    await script.importUser(user)
    const tab = open(site.config)
    expect(await tab.enter(user.email, WRONG)).toContain('CredentialsSignin')
    expect(await site.adapter.getPassword('grace')).toMatchObject({ hash: user.passwordHash })
    await tab.enter(user.email, RIGHT)
    const later = open({ ...site.config, providers: [Password()] })
    expect(await later.enter(user.email, WRONG)).toContain('CredentialsSignin')
    await later.enter(user.email, RIGHT)
    expect(await later.email()).toBe(user.email)
  })

  test('a repeated import keeps the new hashes, and adds nothing', async () => {
    const before = await Promise.all(users.map(({ id }) => site.adapter.getPassword(id)))
    expect(await script.importUsers(users)).toEqual([])
    expect(await Promise.all(users.map(({ id }) => site.adapter.getPassword(id)))).toEqual(before)
    expect(await site.adapter.listFactors('argon2')).toHaveLength(1)
    const [count = ''] = guide.blocks('sql')
    expect(select(count)).toEqual([{ 'count(*)': 0 }])
  })

  test('an address that differs only in case is a conflict, and its hash is not imported', async () => {
    const twin = userOf('twin', { email: 'ARGON2@example.com', passwordHash: 'x' })
    expect(await script.importUsers([twin])).toEqual(['twin'])
    expect(await site.adapter.getUser('twin')).toBeNull()
    expect(await site.adapter.getPassword('twin')).toBeNull()
  })

  test('an interrupted import leaves no user who signs in without the code', async () => {
    const user = userOf('late', { passwordHash: await bcryptHash(RIGHT, 4), totpSecret: 'broken' })
    await expect(script.importUser(user)).rejects.toThrow('Base32')
    const tab = open(site.config)
    expect(await tab.enter('late@example.com', RIGHT)).toContain('CredentialsSignin')
    await script.importUser({ ...user, totpSecret: KEY.toLowerCase() })
    expect(await tab.enter('late@example.com', RIGHT)).toContain('/step-up')
  })

  test('a user without a password has none', async () => {
    const tab = open(site.config)
    expect(await tab.enter('federated@example.com', RIGHT)).toContain('CredentialsSignin')
    expect(await site.adapter.getUser('federated')).toMatchObject({ name: 'federated' })
  })
})

test('a function for one format does not accept a hash of another one', async () => {
  const legacy = await guide.load<Record<string, VerifyLegacyPassword>>('legacy.ts')
  const hashes = [
    await bcryptHash(RIGHT, 4),
    await argon2Hash(RIGHT),
    `${'0'.repeat(32)}:${scryptSync(RIGHT, '0'.repeat(32), 64).toString('hex')}`,
    createHash('sha256').update(RIGHT).digest('hex'),
    `${'0'.repeat(32)}:`,
    '',
  ]
  const accepted = Object.entries(legacy).map(async ([name, verify]) => {
    const results = hashes.map(async (hash) =>
      (async () => verify(RIGHT, hash))().catch(() => false),
    )
    return [name, await Promise.all(results)]
  })
  const rest = [false, false, false]
  expect(Object.fromEntries(await Promise.all(accepted))).toEqual({
    bcrypt: [true, false, false, ...rest],
    argon2: [false, true, false, ...rest],
    scrypt: [false, false, true, ...rest],
  })
})

test('the column of an own authorize becomes the table of Password, under the same URL', async () => {
  const own = join(folder, 'own.db')
  const database = new Database(own)
  database.exec(
    'CREATE TABLE users (id text PRIMARY KEY, name text, email text NOT NULL UNIQUE, password text)',
  )
  const insert = database.prepare('INSERT INTO users VALUES (?, ?, ?, ?)')
  insert.run('1', 'Ada', 'Ada@Example.com', await bcryptHash(RIGHT, 4))
  insert.run('2', 'Bob', 'bob@example.com', null)
  const { before } = await guide.load<{ before: (find: unknown) => CredentialsConfig }>('before.ts')
  const find = async (email: string) =>
    database.prepare('SELECT * FROM users WHERE email = ?').get(email)
  const { config } = await guide.load<Configuration>('config.ts')
  const { adapter: _none, secondStep: _off, ...rest } = config
  const tab = open({ ...rest, providers: [before(find)] }, 'credentials')
  await tab.enter('Ada@Example.com', RIGHT)
  expect(await tab.email()).toBe('Ada@Example.com')
  const words = ['migrate', '--url', `file:${own}`, '--with', 'records,passwords', '--yes']
  expect((await runIn(folder, words)).status).toBe(0)
  for (const block of guide.blocks('sql').slice(1)) database.exec(block)
  database.close()
  const dialect = new SqliteDialect({ database: () => openSqlite(own) })
  const adapter = KyselyAdapter(new Kysely<object>({ dialect }), { with: ['records', 'passwords'] })
  const { after } = await guide.load<{ after: CredentialsConfig }>('after.ts')
  const now = open(
    { ...rest, adapter, session: { strategy: 'jwt' }, providers: [after] },
    'credentials',
  )
  expect(await now.enter('bob@example.com', RIGHT)).toContain('CredentialsSignin')
  await now.enter('ada@example.com', RIGHT)
  expect(await now.email()).toBe('ada@example.com')
  expect(await adapter.getPassword('1')).toMatchObject({
    hash: expect.stringMatching(/^\$scrypt\$/) as string,
    changed: expect.any(Date) as Date,
  })
})
