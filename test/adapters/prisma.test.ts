import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@libsql/client'
import { createPool } from 'mysql2/promise'
import { Pool } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import PrismaAdapter from '../../src/adapters/prisma.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { prismaSchema } from '../../src/cli/schema.ts'
import { testAdapter } from '../../src/testing/index.ts'
import { testAccounts } from './manage-accounts.ts'
import { testPasswordFlows } from './reset-passwords.ts'
import { testSecondStep } from './second-step.ts'
import { testPasskeyRemoval, testPasskeys } from './manage-passkeys.ts'
import { newSession, newUser } from '../../src/testing/adapter/rows.ts'
import { connectPrisma, generatedClient } from './prisma-client.ts'
import { ownModels, ownNames, schemaOf, usualModels, usualTables } from './prisma-schemas.ts'
import { testAssured } from './assured.ts'
import { testTokens } from './tokens.ts'
import { testExpiredRecords } from '../core/records/expired-suite.ts'
import { withDatabases } from './databases.ts'

await withDatabases(['postgres', 'mariadb'], async ({ postgres, mariadb }) => {
  const tables = { tables: usualTables, with: ['records', 'factors', 'passwords'] } as const
  const usual = ['postgres', schemaOf('postgresql', usualModels)] as const
  const pool = new Pool({ connectionString: postgres.url })
  for (const { statement } of createTables({ dialect: 'postgres', ...tables }))
    await pool.query(statement)
  for (const table of ['User', 'Account', 'Session'])
    await pool.query(
      `alter table "${table}" add "createdAt" timestamp(3) not null default now(), add "updatedAt" timestamp(3) not null`,
    )
  const overPostgres = await connectPrisma(usual, [
    '@prisma/adapter-pg',
    'PrismaPg',
    { connectionString: postgres.url },
  ])

  // The collation of Prisma's tables ignores case and trailing spaces.
  const mysql = createPool({ uri: mariadb.url })
  for (const { statement } of createTables({ dialect: 'mariadb', ...tables }))
    await mysql.query(statement.replaceAll('utf8mb4_nopad_bin', 'utf8mb4_unicode_ci'))
  const overMariaDB = await connectPrisma(
    [
      'mariadb',
      schemaOf('mysql', prismaSchema('mariadb', { with: ['records', 'factors', 'passwords'] })),
    ],
    ['@prisma/adapter-mariadb', 'PrismaMariaDb', mariadb.url.replace('mysql:', 'mariadb:')],
  )

  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-prisma-'))
  const file = { url: `file:${join(folder, 'database')}` }
  const sqlite = createClient(file)
  for (const { statement } of createTables({
    dialect: 'sqlite',
    ids: 'integer',
    columns: 'snake_case',
    extraColumns: { users: ['plan'] },
    with: ['records', 'factors', 'passwords'],
  }))
    await sqlite.execute(statement)
  const overSQLite = await connectPrisma(
    ['sqlite', schemaOf('sqlite', ownModels).replace('"relationJoins"', '')],
    ['@prisma/adapter-libsql', 'PrismaLibSql', file],
  )

  afterAll(async () => {
    for (const client of [overPostgres, overMariaDB, overSQLite]) await client.$disconnect()
    await pool.end()
    await mysql.end()
    sqlite.close()
    rmSync(folder, { recursive: true })
  })

  const adapter = PrismaAdapter(overPostgres)

  /** Creates a user with a session, and returns its token. */
  async function signedIn(): Promise<string> {
    const user = await adapter.createUser?.(newUser())
    const session = await adapter.createSession?.(newSession(user?.id ?? ''))
    return session?.sessionToken ?? ''
  }

  describe('Prisma over PostgreSQL, with existing models', () => {
    testAdapter(adapter, { test })
    testExpiredRecords(adapter)
    testTokens(() => adapter)
    testAssured(() => adapter)
    testPasskeyRemoval(() => adapter)
    testAccounts(() => adapter)
    testPasswordFlows(() => adapter)
    testSecondStep(() => adapter)
  })
  describe('Prisma over MariaDB, with the printed models', () => {
    testAdapter(PrismaAdapter(overMariaDB), { test })
    testExpiredRecords(PrismaAdapter(overMariaDB))
    testTokens(() => PrismaAdapter(overMariaDB))
    testAssured(() => PrismaAdapter(overMariaDB))
    testPasskeys(() => PrismaAdapter(overMariaDB))
  })
  describe('Prisma over SQLite, with auto-increment ids and renamed models', () =>
    testAdapter(PrismaAdapter(overSQLite, { models: ownNames }), { test }))

  test('reads a session with one statement', async () => {
    const token = await signedIn()
    const statements: string[] = []
    overPostgres.$on('query', ({ query }) => statements.push(query))
    expect(await adapter.getSessionAndUser?.(token)).not.toBeNull()
    expect(statements).toEqual([expect.stringMatching(/^SELECT/)])
  })

  test('stores fields of the application and drops fields that the model lacks', async () => {
    const own = PrismaAdapter(overSQLite, { models: ownNames })
    const user = { ...newUser(), plan: 'paid', shoeSize: 42 }
    const created = await own.createUser?.(user)
    expect(created).toMatchObject({ email: user.email, plan: 'paid' })
    expect(created).not.toHaveProperty('shoeSize')
  })

  test('returns null for a session whose user is deleted', async () => {
    const token = await signedIn()
    await pool.query('alter table "Session" drop constraint "Session_userId_fkey"')
    await pool.query(
      'delete from "User" where id = (select "userId" from "Session" where "sessionToken" = $1)',
      [token],
    )
    expect(await adapter.getSessionAndUser?.(token)).toBeNull()
  })

  test('deletes many expired rows in batches and keeps the others', async () => {
    const token = await signedIn()
    await pool.query(
      `insert into "VerificationToken" select 'grace', 'expired ' || number, '2001-01-01' from generate_series(1, 2500) number`,
    )
    const deletes: string[] = []
    overPostgres.$on('query', ({ query }) => deletes.push(query))
    await adapter.deleteExpired?.(new Date('2002-02-02'))
    const { rows } = await pool.query('select 1 from "VerificationToken" where identifier = $1', [
      'grace',
    ])
    expect(rows).toEqual([])
    expect(deletes.filter((each) => each.includes('VerificationToken'))).toHaveLength(3)
    expect(await adapter.getSessionAndUser?.(token)).not.toBeNull()
  })

  test.each([undefined, null, { contains: '' }, { not: '' }])(
    'rejects %o as a key',
    async (value) => {
      const token = await signedIn()
      const anything = value as unknown as string
      await expect(async () => adapter.getUserByEmail?.(anything)).rejects.toThrow(
        'is not a string',
      )
      await expect(async () => adapter.deleteUserSessions?.(anything)).rejects.toThrow(
        'is not a string',
      )
      await expect(async () => adapter.deleteUser?.(anything)).rejects.toThrow('is not a string')
      expect(await adapter.getSessionAndUser?.(token)).not.toBeNull()
    },
  )

  test('returns null for text that PostgreSQL cannot store', async () => {
    expect(await adapter.getUserByEmail?.('ada\0@example.com')).toBeNull()
    expect(await adapter.getUserByAccount?.({ provider: 'op', providerAccountId: '\0' })).toBeNull()
  })

  test('returns null for text that is not a number if ids are numbers', async () => {
    const own = PrismaAdapter(overSQLite, { models: ownNames })
    const { id = '' } = (await own.createUser?.(newUser())) ?? {}
    expect(id).toMatch(/^[1-9]\d*$/)
    expect(await own.getUser?.(id)).toMatchObject({ id })
    for (const other of [
      '',
      'one',
      `0${id}`,
      ` ${id}`,
      `${id}.0`,
      '9'.repeat(30),
      '-1',
      'NaN',
      '1e0',
    ])
      expect(await own.getUser?.(other)).toBeNull()
  })

  test('names a missing model or field when the adapter is created', () => {
    expect(() => PrismaAdapter(overSQLite)).toThrow('the client has no model "user"')
    expect(() => PrismaAdapter(overPostgres, { models: { users: 'verificationToken' } })).toThrow(
      'the model "verificationToken" has no field "id"',
    )
  })

  test('works without a model for passkeys', async () => {
    const without = PrismaAdapter(overPostgres, { models: { authenticators: 'passkey' } })
    expect(without).not.toHaveProperty('createAuthenticator')
    const { id = '' } = (await without.createUser?.(newUser())) ?? {}
    await without.deleteUser?.(id)
    expect(await without.getUser?.(id)).toBeNull()
  })

  test('stores no records in another model of the application', () => {
    const without = PrismaAdapter(overPostgres, { models: { records: 'session' } })
    for (const method of ['readRecords', 'listRecords', 'writeRecord', 'deleteRecords']) {
      expect(without).not.toHaveProperty(method)
      expect(adapter).toHaveProperty(method)
    }
  })

  test('names the command that creates a missing table', async () => {
    await pool.query('alter table "Authenticator" rename to "Elsewhere"')
    const lookup = async () => adapter.getAuthenticator?.('some')
    await expect(lookup).rejects.toThrow(/"authenticator".*npx prisma migrate deploy/)
    await pool.query('alter table "Elsewhere" rename to "Authenticator"')
  })

  test('reports a table that cannot store an emoji, with the statement that fixes it', async () => {
    const overLatin1 = PrismaAdapter(overMariaDB)
    const fox = { ...newUser(), name: '🦊' }
    // latin1 cannot store the names of other users.
    await mysql.query('delete from User')
    await mysql.query('alter table User modify name text character set latin1')
    await expect(overLatin1.createUser?.(fox)).rejects.toThrow(
      /^The table of the model "user": .+ CONVERT TO CHARACTER SET utf8mb4/,
    )
    await mysql.query('alter table User modify name text character set utf8mb4')
    expect(await overLatin1.createUser?.(fox)).toMatchObject({ name: '🦊' })
  })

  const APPLICATION = `
import PrismaAdapter from '../../../../../src/adapters/prisma.ts'
import type { Adapter } from '../../../../../src/adapters/index.ts'
import { PrismaClient } from './client/client.ts'
import { PrismaPg } from '@prisma/adapter-pg'

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: '' }) })
const extended = prisma.$extends({ model: { user: { greet: () => 'hello' } } })
export const adapters: readonly Adapter[] = [PrismaAdapter(prisma), PrismaAdapter(extended)]
export const names: Adapter = PrismaAdapter(prisma, { models: { users: 'member' } })
// @ts-expect-error a model is not a client
export const model: Adapter = PrismaAdapter(prisma.user)
`

  test('accepts the type of a generated client, extended or not', async () => {
    const place = dirname(await generatedClient(...usual))
    writeFileSync(join(place, 'application.ts'), APPLICATION)
    const config = {
      extends: '../../../../tsconfig.json',
      compilerOptions: { rootDir: '/' },
      include: ['application.ts'],
      exclude: [],
    }
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config))
    const compiler = fileURLToPath(
      new URL('../../node_modules/typescript/bin/tsc', import.meta.url),
    )
    const output = await new Promise((resolve) => {
      const args = [compiler, '-p', place, '--pretty', 'false']
      execFile(process.execPath, args, { encoding: 'utf8' }, (_error, stdout) => resolve(stdout))
    })
    expect(output).toBe('')
  })
})
