/** `doctor` reports columns that are too short for tokens, with the statement that changes them. */
import { drizzle } from 'drizzle-orm/node-postgres'
import {
  mysqlTable,
  text as mysqlText,
  tinytext,
  varchar as mysqlVarchar,
} from 'drizzle-orm/mysql-core'
import { pgTable, text, varchar } from 'drizzle-orm/pg-core'
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect, sql } from 'kysely'
import type { Dialect } from 'kysely'
import { createPool } from 'mysql2'
import { Pool } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import DrizzleAdapter from '../../../src/adapters/drizzle.ts'
import KyselyAdapter from '../../../src/adapters/kysely.ts'
import type { KyselyAdapterOptions } from '../../../src/adapters/kysely.ts'
import { openSqlite } from '../../../src/adapters/sqlite.ts'
import { createTables } from '../../../src/cli/database/create-tables.ts'
import { checkColumns } from '../../../src/cli/doctor/columns.ts'
import { createContext } from '../../../src/cli/doctor/context.ts'
import type { Adapter, AuthConfig } from '../../../src/index.ts'
import { withDatabases } from '../../adapters/databases.ts'
import { applicationWith, cleanUp, GOOD_SECRET, examineFolder } from './run-doctor.ts'

afterAll(cleanUp)

/** What is found about columns, as one line each. */
async function examine(adapter: Adapter | undefined, options: Partial<AuthConfig>) {
  const given = { providers: [], secret: GOOD_SECRET, ...(adapter && { adapter }), ...options }
  const loading = { level: 'ok', about: 'configuration', what: '' } as const
  const order = { folder: '.', module: undefined, url: undefined, files: [], sources: {} }
  const context = createContext(order, { given, announced: undefined, loading })
  const lines: string[] = []
  for await (const { level, what, write } of checkColumns(context, adapter))
    lines.push(`${level}: ${what} → ${write}`)
  return lines
}

const TOKEN_NAMES = ['access_token', 'id_token', 'refresh_token'] as const

async function openDatabase(dialect: Dialect, name: 'mariadb' | 'postgres' | 'sqlite') {
  const db = new Kysely<Record<string, object>>({ dialect })
  afterAll(() => db.destroy())
  for (const { statement } of createTables({
    dialect: name,
    with: ['records', 'factors', 'passwords'],
  }))
    await sql.raw(statement).execute(db)
  const open = (options?: KyselyAdapterOptions): Adapter => KyselyAdapter(db, options)
  return { db, open }
}

/** Makes columns short, as other libraries create them. */
async function shorten(db: Kysely<Record<string, object>>, name: 'mariadb' | 'postgres') {
  const alter = (table: string, column: string, type: string, rest = '') =>
    name === 'postgres'
      ? `alter table ${table} alter column ${column} type ${type}`
      : `alter table ${table} modify ${column} ${type}${rest}`
  const statements = [
    ...TOKEN_NAMES.map((column) => alter('accounts', column, 'varchar(255)')),
    alter('records', 'value', 'varchar(2000)', ' not null'),
    alter(
      'sessions',
      '"sessionToken"'.replaceAll('"', name === 'postgres' ? '"' : '`'),
      'varchar(100)',
      ' character set utf8mb4 collate utf8mb4_nopad_bin not null',
    ),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

async function describeDatabase(name: 'mariadb' | 'postgres', dialect: Dialect): Promise<void> {
  const { db, open } = await openDatabase(dialect, name)
  const jwt = { strategy: 'jwt' } as const

  describe(name, () => {
    test('reports nothing for the tables of lib-auth migrate', async () => {
      const all = { tokens: {}, session: { lifetime: () => ({ idle: 60 }) } }
      expect(await examine(open({ with: ['records'] }), all)).toEqual([])
      expect(await examine(open({ with: ['records'] }), { tokens: { where: 'store' } })).toEqual([])
      expect(await examine(open({ with: ['factors', 'passwords'] }), all)).toEqual([])
    })

    test('reports short columns of secrets and hashes, if the adapter uses their tables', async () => {
      const rest = name === 'mariadb' ? ' not null' : ''
      const type = name === 'mariadb' ? 'modify' : 'alter column'
      for (const [table, column] of [
        ['factors', 'secret'],
        ['passwords', 'hash'],
      ])
        await sql
          .raw(
            `alter table ${table} ${type} ${column} ${name === 'mariadb' ? '' : 'type '}varchar(255)${rest}`,
          )
          .execute(db)
      expect(await examine(open({ with: ['records'] }), {})).toEqual([])
      const adapter = open({ with: ['factors', 'passwords'] })
      const found = await examine(adapter, {})
      expect(found).toEqual([
        expect.stringContaining('secret of the table factors has 255 characters'),
        expect.stringContaining('hash of the table passwords has 255 characters'),
      ])
      for (const line of found) {
        const [, statement = ''] = / → Run: (.*)$/.exec(line) ?? []
        await sql.raw(statement).execute(db)
      }
      expect(await examine(adapter, {})).toEqual([])
    })

    test('reports each short column, and prints what changes it', async () => {
      await shorten(db, name)
      const adapter = open({ with: ['records'] })
      expect(await examine(adapter, {})).toEqual([])
      expect(await examine(adapter, { session: { ...jwt, revocation: {} } })).toEqual([])
      expect(await examine(adapter, { tokens: {}, session: { hashTokens: true } })).toHaveLength(3)
      expect(await examine(adapter, { tokens: {}, session: jwt })).toHaveLength(3)
      expect(await examine(undefined, { tokens: { where: 'cookie' } })).toEqual([])
      const byName = (a: string, b: string) => a.localeCompare(b)
      const found = [
        ...(await examine(adapter, { tokens: {} })).toSorted(byName),
        ...(await examine(undefined, { store: adapter as never, tokens: {} })),
      ]
      expect(found).toEqual([
        ...TOKEN_NAMES.map((column): unknown =>
          expect.stringMatching(
            new RegExp(`^warning: ${column} of the table accounts has 255 characters; tokens`),
          ),
        ),
        expect.stringContaining('sessionToken of the table sessions has 100 characters'),
        expect.stringContaining('value of the table records has 2000 characters'),
      ])
      for (const line of found) {
        const [, statement = ''] = / → Run: (.*)$/.exec(line) ?? []
        await sql.raw(statement).execute(db)
      }
      expect(await examine(adapter, { tokens: {} })).toEqual([])
      expect(await examine(undefined, { store: adapter as never, tokens: {} })).toEqual([])
      // The collation still compares exactly, and the column is still required.
      const row = { sessionToken: 'Token', userId: '1', expires: new Date() }
      const user = await adapter.createUser?.({
        id: '1',
        email: 'a@example.com',
        emailVerified: null,
      })
      await adapter.createSession?.({ ...row, userId: user?.id ?? '' })
      expect(await adapter.getSessionAndUser?.('token')).toBeNull()
      expect(await adapter.getSessionAndUser?.('Token')).not.toBeNull()
    })
  })
}

await withDatabases(['postgres'], async ({ postgres }) => {
  const pool = new Pool({ connectionString: postgres.url })
  await describeDatabase('postgres', new PostgresDialect({ pool }))
})
await withDatabases(['mariadb'], async ({ mariadb }) => {
  await describeDatabase('mariadb', new MysqlDialect({ pool: createPool(mariadb.url) }))
})

test('SQLite ignores the length of a type', async () => {
  const dialect = new SqliteDialect({ database: async () => openSqlite(':memory:') })
  const { open } = await openDatabase(dialect, 'sqlite')
  expect(await examine(open(), { tokens: {} })).toEqual([])
})

test('a database that cannot be reached is a warning', async () => {
  const pool = new Pool({ connectionString: 'postgres://127.0.0.1:1/none' })
  const adapter = KyselyAdapter(new Kysely<object>({ dialect: new PostgresDialect({ pool }) }))
  const lines = await examine(adapter, { tokens: {}, session: { strategy: 'jwt' } })
  expect(lines).toEqual([
    expect.stringMatching(/^warning: the columns of accounts cannot be read: .* → Run the command/),
  ])
})

test('reports short columns in the tables of Drizzle', async () => {
  const db = drizzle('postgres://127.0.0.1:1/none')
  const unused = { users: pgTable('users', {}), verificationTokens: pgTable('tokens', {}) }
  const postgres = {
    ...unused,
    accounts: pgTable('my_accounts', {
      access_token: varchar('at', { length: 255 }),
      refresh_token: varchar('rt', { length: 5000 }),
      id_token: text('it'),
    }),
    sessions: pgTable('sessions', { sessionToken: varchar('session_token', { length: 64 }) }),
  }
  const open = (tables: object) => DrizzleAdapter(db, tables as never)
  expect(await examine(open(postgres), { tokens: {} })).toEqual([
    "warning: at of the table my_accounts has 255 characters; tokens of providers can be longer, above all encrypted ones. → Write access_token: text('at') in the table of the schema, and migrate it: npx drizzle-kit generate, npx drizzle-kit migrate",
    "warning: session_token of the table sessions has 64 characters; with the options of this configuration, session tokens have up to 190. → Write sessionToken: varchar('session_token', { length: 255 }) in the table of the schema, and migrate it: npx drizzle-kit generate, npx drizzle-kit migrate",
  ])
  const mysql = {
    ...unused,
    accounts: mysqlTable('accounts', {
      access_token: tinytext(),
      refresh_token: mysqlVarchar({ length: 191 }),
      id_token: mysqlText(),
    }),
    sessions: mysqlTable('sessions', { sessionToken: mysqlVarchar({ length: 255 }) }),
  }
  expect(await examine(open(mysql), { tokens: {} })).toEqual([
    expect.stringContaining('access_token of the table accounts has 255 characters'),
    expect.stringContaining('refresh_token of the table accounts has 191 characters'),
  ])
})

test('the command prints it', async () => {
  const code = `
    import MemoryAdapter from 'lib-auth/adapters/memory'
    const limit = { table: 'accounts', field: 'id_token', path: ['auth', 'accounts'], column: 'id\`token', length: 255, changedBy: 'mysql', collation: null }
    const adapter = { ...MemoryAdapter(), [Symbol.for('lib-auth.columnLimits')]: () => [limit] }
    const password = { id: 'password', name: 'Password', type: 'credentials', authorize: () => null }
    export const config = { providers: [password], session: { strategy: 'jwt' }, tokens: {}, adapter }
  `
  const env = { AUTH_SECRET: GOOD_SECRET, AUTH_URL: 'https://app.test' }
  const { about, code: exit } = await examineFolder(applicationWith({ 'auth.mjs': code }), [], env)
  expect(about('columns')).toEqual([
    '! columns: id`token of the table auth.accounts has 255 characters; tokens of providers can be longer, above all encrypted ones. → Run: alter table `auth`.`accounts` modify `id``token` mediumtext',
  ])
  expect(exit).toBe(0)
})
