/** Missing tables and columns: the log names the command that adds them, and the visitor sees no details. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { drizzle as drizzleOverLibsql } from 'drizzle-orm/libsql'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'
import Database from 'libsql'
import { createPool } from 'mysql2'
import { Pool } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import DrizzleAdapter from '../../src/adapters/drizzle.ts'
import type { Adapter } from '../../src/adapters/index.ts'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import PrismaAdapter from '../../src/adapters/prisma.ts'
import { migrate } from '../../src/cli/database/migrate.ts'
import { AuthError } from '../../src/errors.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor } from '../config.ts'
import { withDatabases } from './databases.ts'
import { printedTables } from './drizzle-printed.ts'
import { sqliteTables } from './drizzle-tables.ts'
import { connectPrisma } from './prisma-client.ts'
import { printedModels, schemaOf } from './prisma-schemas.ts'

/** A database without tables. */
interface Place {
  readonly url: string
  readonly adapter: Adapter
  readonly run: (statement: string) => Promise<unknown>
}

/** A kind of database, and the command that the log must name. */
interface Backend {
  readonly name: string
  readonly command: string
  readonly open: () => Promise<Place> | Place
}

/** The change of the schema, and the part of the database error that the log must contain. */
const CASES = [
  ['a missing table', 'drop table accounts', /\([^)]*accounts[^)]*\)/],
  ['a missing joined table', 'drop table users', /\([^)]*users[^)]*\)/],
  ['a missing sessions table', 'drop table sessions', /\([^)]*sessions[^)]*\)/],
  ['a missing column', 'alter table users drop column image', /\([^)]*image[^)]*\)/],
  [
    'a missing column for tokens',
    'alter table accounts drop column id_token',
    /\([^)]*id_token[^)]*\)/,
  ],
] as const

/** The message of the adapter. */
function messageOf(error: Error): string {
  return (error instanceof AuthError && error.cause?.err?.message) || String(error)
}

const LATER = 'https://app.test/auth/error?error=TemporarilyUnavailable'
const TABLES = 'authenticators, sessions, accounts, verification_tokens, users'

const op = await issuer({ algorithm: 'ES256' })
const nothing = () => undefined
const silent = { print: nothing, warn: nothing, progress: nothing, confirm: async () => true }

await withDatabases(['postgres', 'mariadb'], async ({ postgres, mariadb }) => {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-schema-'))
  const files: InstanceType<typeof Database>[] = []
  const pool = new Pool({ connectionString: postgres.url })
  const mysqlPool = createPool(mariadb.url)
  const prisma = await connectPrisma(
    ['wrong-schema', schemaOf('postgresql', printedModels)],
    ['@prisma/adapter-pg', 'PrismaPg', pool],
  )
  const tables = await printedTables('postgres')

  afterAll(async () => {
    for (const file of files) file.close()
    rmSync(folder, { recursive: true, force: true })
    await prisma.$disconnect()
    await pool.end()
    await mysqlPool.promise().end()
  })

  function inFile(): Place {
    const path = join(folder, `${files.length}.db`)
    const database = new Database(path)
    files.push(database)
    database.pragma('foreign_keys = off')
    const db = new Kysely<object>({ dialect: new SqliteDialect({ database }) })
    return {
      url: `file:${path}`,
      adapter: KyselyAdapter(db),
      run: async (statement) => database.exec(statement),
    }
  }

  const onPostgres = (adapter: Adapter) => async () => {
    const run = (statement: string) => pool.query(statement.replace(/^drop .*/, '$& cascade'))
    await run(`drop table if exists ${TABLES}`)
    return { url: postgres.url, adapter, run }
  }

  async function onMariaDB(): Promise<Place> {
    const db = new Kysely<object>({ dialect: new MysqlDialect({ pool: mysqlPool }) })
    const run = async (statement: string) => {
      const connection = await mysqlPool.promise().getConnection()
      await connection.query('set foreign_key_checks = 0')
      await connection.query(statement)
      await connection.query('set foreign_key_checks = 1')
      connection.release()
    }
    await run(`drop table if exists ${TABLES}`)
    return { url: mariadb.url, adapter: KyselyAdapter(db), run }
  }

  const postgresDb = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
  const ours = 'npx lib-auth migrate --url'
  const backends: Backend[] = [
    { name: 'Kysely over SQLite', command: ours, open: inFile },
    {
      name: 'Kysely over PostgreSQL',
      command: ours,
      open: onPostgres(KyselyAdapter(postgresDb)),
    },
    { name: 'Kysely over MariaDB', command: ours, open: onMariaDB },
    {
      name: 'Drizzle',
      command: 'npx drizzle-kit migrate',
      open: onPostgres(DrizzleAdapter(drizzle(pool), tables)),
    },
    {
      name: 'Prisma',
      command: 'npx prisma migrate deploy',
      open: onPostgres(PrismaAdapter(prisma)),
    },
  ]

  describe.each(backends)('$name', ({ command, open }) => {
    test.each(CASES)(
      '%s is named in the log with the command that adds it',
      async (_name, change, named) => {
        const { url, adapter, run } = await open()
        await migrate({ url, isConfirmed: true }, silent)
        await run(change)
        const { config, log } = configFor(op, { adapter, session: { strategy: 'database' } })
        const tab = browser(config, { issuer: op })
        const response = await tab.signIn('op')
        expect(response.headers.get('location')).toBe(LATER)
        const page = await (await tab.follow(response)).text()
        expect(page).not.toMatch(/users|accounts|sessions|image|id_token|migrate|no such|exist/)
        expect(log.errors.map(messageOf)).toEqual([expect.stringMatching(named)])
        expect(log.errors.map(messageOf)).toEqual([expect.stringContaining(command)])
        // In place of the commands of Drizzle and Prisma, which are not installed.
        await migrate({ url, isConfirmed: true }, silent)
        await tab.signIn('op')
        expect((await tab.session())?.user?.email).toBe('ada@example.com')
      },
    )
  })
})

test('recognizes the SQLite error for a missing table behind Drizzle', async () => {
  const client = createClient({ url: 'file::memory:' })
  const adapter = DrizzleAdapter(drizzleOverLibsql(client), sqliteTables)
  const { config, log } = configFor(op, { adapter, session: { strategy: 'database' } })
  const response = await browser(config, { issuer: op }).signIn('op')
  expect(response.headers.get('location')).toBe(LATER)
  const expected = /\(.*no such table: people_accounts\).*npx drizzle-kit migrate/
  expect(log.errors.map(messageOf)).toEqual([expect.stringMatching(expected)])
  client.close()
})
