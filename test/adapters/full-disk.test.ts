/** A full disk ends a transaction. The log contains this error, not the one of the failed rollback. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { Kysely, SqliteDialect, sql } from 'kysely'
import Database from 'libsql'
import { afterAll, expect, test } from 'vitest'
import DrizzleAdapter from '../../src/adapters/drizzle.ts'
import type { Adapter } from '../../src/adapters/index.ts'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import PrismaAdapter from '../../src/adapters/prisma.ts'
import { openSqlite } from '../../src/adapters/sqlite.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { run as runProgram } from '../../tools/run.mjs'
import { sqliteStatements, sqliteTables } from './drizzle-tables.ts'
import { makeTables } from './kysely.ts'
import { op, visitor } from './outage/visitor.ts'
import type { Visitor } from './outage/visitor.ts'
import { connectPrisma } from './prisma-client.ts'
import { ownModels, ownNames, schemaOf } from './prisma-schemas.ts'
import { availableDrivers } from './sqlite-drivers.ts'

const folder = mkdtempSync(join(tmpdir(), 'lib-auth-full-'))
const mount = ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]
// Requires root and the permission to mount.
const isSmallDisk = await runProgram('mount', mount).then(
  () => true,
  () => false,
)
const close: (() => unknown)[] = []
afterAll(async () => {
  for (const each of close) await each()
  if (isSmallDisk) await runProgram('umount', ['--lazy', folder])
  rmSync(folder, { recursive: true, force: true })
})

/** A file with tables. */
interface Place {
  readonly adapter: Adapter
  /** The name of the table of users. */
  readonly users: string
  readonly run: (statement: string) => Promise<unknown>
}

const nextFile = () => join(folder, `${crypto.randomUUID()}.db`)

async function overKysely(dialect: SqliteDialect, journal: string): Promise<Place> {
  const db = new Kysely<object>({ dialect })
  close.push(() => db.destroy())
  await sql`pragma page_size = 512`.execute(db)
  await sql.raw(`pragma journal_mode = ${journal}`).execute(db)
  await makeTables(db, 'sqlite')
  return {
    adapter: KyselyAdapter(db),
    users: 'users',
    run: (statement) => sql.raw(statement).execute(db),
  }
}

async function overDrizzle(): Promise<Place> {
  const client = createClient({ url: `file:${nextFile()}` })
  close.push(() => client.close())
  await client.execute('pragma page_size = 512')
  for (const statement of sqliteStatements) await client.execute(statement)
  return {
    adapter: DrizzleAdapter(drizzle(client), sqliteTables),
    users: 'people',
    run: (statement) => client.execute(statement),
  }
}

async function overPrisma(): Promise<Place> {
  const prisma = await connectPrisma(
    ['full-disk', schemaOf('sqlite', ownModels).replace('"relationJoins"', '')],
    ['@prisma/adapter-libsql', 'PrismaLibSql', { url: `file:${nextFile()}` }],
  )
  close.push(() => prisma.$disconnect())
  await prisma.$executeRawUnsafe('pragma page_size = 512')
  const tables = createTables({
    dialect: 'sqlite',
    ids: 'integer',
    columns: 'snake_case',
    extraColumns: { users: ['plan'] },
    with: ['factors', 'passwords'],
  })
  for (const { statement } of tables) await prisma.$executeRawUnsafe(statement)
  return {
    adapter: PrismaAdapter(prisma, { models: ownNames }),
    users: 'users',
    run: (statement) => prisma.$executeRawUnsafe(statement),
  }
}

async function signUp({ tab, person }: Visitor): Promise<string | null> {
  const started = await tab.post('signin/op', { callbackUrl: '/in' })
  const { url } = await op.authorize(started.headers.get('location') ?? '', person)
  const response = await tab.request(url, { initiator: 'cross-site' })
  return response.headers.get('location')
}

const drivers = await availableDrivers()
const places = [
  {
    name: 'Kysely with a connection of libsql',
    open: () => overKysely(new SqliteDialect({ database: new Database(nextFile()) }), 'delete'),
  },
  // With a write-ahead log, the commit fails.
  ...['delete', 'wal'].flatMap((journal) =>
    drivers.map((driver) => ({
      name: `Kysely with openSqlite, ${driver} and journal_mode = ${journal}`,
      open: () => {
        const database = () => openSqlite(nextFile(), { driver })
        return overKysely(new SqliteDialect({ database }), journal)
      },
    })),
  ),
  { name: 'Drizzle', open: overDrizzle },
  { name: 'Prisma', open: overPrisma },
]

const filler = join(folder, 'filler')

/** How a file runs out of space. */
const FAULTS = [
  {
    name: 'a file that may not grow',
    fill: ({ run }: Place) => run('pragma max_page_count = 1'),
    empty: ({ run }: Place) => run('pragma max_page_count = 100000'),
  },
  {
    // As SQLite does when a write to the file system fails.
    name: 'a transaction that SQLite rolls back',
    fill: ({ run, users }: Place) =>
      run(
        `create trigger is_full before insert on "${users}" begin select raise(rollback, 'database or disk is full'); end`,
      ),
    empty: ({ run }: Place) => run('drop trigger is_full'),
  },
]

/** Fills the file system. */
async function fillDisk(): Promise<void> {
  try {
    writeFileSync(filler, Buffer.alloc(5_000_000))
  } catch (error) {
    if (!String(error).includes('ENOSPC')) throw error
  }
}
const FULL_DISK = { name: 'a full file system', fill: fillDisk, empty: async () => rmSync(filler) }
const faults = isSmallDisk ? [...FAULTS, FULL_DISK] : FAULTS

const cases = places.flatMap((place) => faults.map((fault) => ({ place, fault })))

test.each(cases)('$place.name logs the first error after $fault.name', async ({ place, fault }) => {
  const opened = await place.open()
  const newUser = visitor(opened.adapter)
  await fault.fill(opened)
  const location = await signUp(newUser)
  await fault.empty(opened)
  expect(location).toContain('error=TemporarilyUnavailable')
  const logged = inspect(newUser.log.errors, { depth: 9 })
  expect(logged).toMatch(/database or disk is full/)
  expect(logged).not.toMatch(/cannot rollback/)
  expect(await signUp(newUser)).toBe('https://app.test/in')
})
