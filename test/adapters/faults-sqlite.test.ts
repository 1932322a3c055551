import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, SqliteDialect } from 'kysely'
import type { SqliteDatabase } from 'kysely'
import { afterAll } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { openSqlite } from '../../src/adapters/sqlite.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { orphansIn, storedIn } from './outage/sql.ts'
import { isGrowth, isWrite, testOutages } from './outage/suite.ts'
import type { Outage } from './outage/suite.ts'

/** A file with one user, and a second connection to it. */
interface Place {
  readonly database: SqliteDatabase
  readonly other: SqliteDatabase
  readonly db: Kysely<object>
}

const folder = mkdtempSync(join(tmpdir(), 'lib-auth-outage-'))
const places = new Map<Adapter, Place>()

afterAll(() => {
  for (const { database, other } of places.values()) {
    database.close()
    other.close()
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Runs one statement. */
function run(database: SqliteDatabase, text: string): void {
  const statement = database.prepare(text)
  if (statement.reader) statement.all([])
  else statement.run([])
}

async function open(): Promise<Adapter> {
  const path = join(folder, `${places.size}.db`)
  const database = await openSqlite(path, { busyTimeout: 0 })
  for (const pragma of ['page_size = 512', 'synchronous = off', 'journal_mode = memory'])
    run(database, `pragma ${pragma}`)
  for (const { statement } of createTables({ dialect: 'sqlite' })) run(database, statement)
  run(database, "insert into users (id, email) values ('filler', 'filler')")
  const db = new Kysely<object>({ dialect: new SqliteDialect({ database }) })
  const adapter = KyselyAdapter(db)
  places.set(adapter, { database, other: await openSqlite(path, { busyTimeout: 0 }), db })
  return adapter
}

function placeOf(adapter: Adapter): Place {
  const place = places.get(adapter)
  if (place) return place
  throw new Error('The adapter is unknown.')
}

/** Applies a change to every file. */
function everywhere(change: (place: Place) => void): () => Promise<void> {
  return async () => {
    for (const place of places.values()) change(place)
  }
}

/** Statements that fill the remaining space of the tables that grow. */
const FILLERS = [
  `insert into sessions ("sessionToken", "userId", expires) select 'filler ' || hex(randomblob(8)), 'filler', ''`,
  `insert into verification_tokens (identifier, token, expires) select 'filler', hex(randomblob(8)), ''`,
]

function fill({ database }: Place): void {
  run(database, 'pragma max_page_count = 1')
  for (const statement of FILLERS)
    try {
      for (let left = 1000; left > 0; left--) run(database, statement)
    } catch (error) {
      if (!String(error).includes('full')) throw error
    }
}

function empty({ database }: Place): void {
  run(database, 'pragma max_page_count = 100000')
  run(database, `delete from sessions where "userId" = 'filler'`)
  run(database, `delete from verification_tokens where identifier = 'filler'`)
}

/** Files that the second connection has locked. */
const locked = new Set<Place>()

function lock(place: Place): void {
  try {
    run(place.other, 'begin exclusive')
    locked.add(place)
  } catch (error) {
    if (!String(error).includes('locked')) throw error
  }
}

async function unlock(): Promise<void> {
  for (const { other } of locked) run(other, 'rollback')
  locked.clear()
}

const outages: Outage[] = [
  {
    name: 'is read-only',
    stops: isWrite,
    begin: everywhere(({ database }) => run(database, 'pragma query_only = on')),
    end: everywhere(({ database }) => run(database, 'pragma query_only = off')),
  },
  { name: 'is full', stops: isGrowth, begin: everywhere(fill), end: everywhere(empty) },
  {
    name: 'is locked by another process',
    // A write transaction locks the file.
    stops: (_method, before) => before !== 'linkAccount',
    begin: everywhere(lock),
    end: unlock,
  },
]

await testOutages(
  {
    open,
    stored: async (visitor) => storedIn(placeOf(visitor.adapter).db, visitor),
    async orphans() {
      const counts = await Promise.all([...places.values()].map(async ({ db }) => orphansIn(db)))
      return counts.reduce((sum, count) => sum + count, 0)
    },
  },
  outages,
)
