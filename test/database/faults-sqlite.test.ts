import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Kysely, SqliteDialect } from 'kysely'
import Database from 'libsql'
import { afterAll } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { orphansIn, storedIn } from './outage/sql.ts'
import { isGrowth, isWrite, testOutages } from './outage/suite.ts'
import type { Outage } from './outage/suite.ts'

/** A file of one person, and the connection of somebody else to it. */
interface Place {
  readonly database: InstanceType<typeof Database>
  readonly other: InstanceType<typeof Database>
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

function open(): Adapter {
  const path = join(folder, `${places.size}.db`)
  const database = new Database(path)
  database.pragma('page_size = 512')
  for (const pragma of ['synchronous = off', 'journal_mode = memory']) database.pragma(pragma)
  for (const { statement } of createTables({ dialect: 'sqlite' })) database.exec(statement)
  database.exec("insert into users (id, email) values ('filler', 'filler')")
  const db = new Kysely<object>({ dialect: new SqliteDialect({ database }) })
  const adapter = KyselyAdapter(db)
  places.set(adapter, { database, other: new Database(path), db })
  return adapter
}

function placeOf(adapter: Adapter): Place {
  const place = places.get(adapter)
  if (place) return place
  throw new Error('This adapter is not from here.')
}

/** Does something to every file. */
function everywhere(change: (place: Place) => void): () => Promise<void> {
  return async () => {
    for (const place of places.values()) change(place)
  }
}

/** Statements that take whatever place is left in the tables that grow. */
const FILLERS = [
  `insert into sessions ("sessionToken", "userId", expires) select 'filler ' || hex(randomblob(8)), 'filler', ''`,
  `insert into verification_tokens (identifier, token, expires) select 'filler', hex(randomblob(8)), ''`,
]

function fill({ database }: Place): void {
  database.pragma('max_page_count = 1')
  for (const statement of FILLERS)
    try {
      for (let left = 1000; left > 0; left--) database.exec(statement)
    } catch (error) {
      if (!String(error).includes('full')) throw error
    }
}

function empty({ database }: Place): void {
  database.pragma('max_page_count = 100000')
  database.exec(`delete from sessions where "userId" = 'filler'`)
  database.exec(`delete from verification_tokens where identifier = 'filler'`)
}

function lock({ other }: Place): void {
  try {
    other.exec('begin exclusive')
  } catch (error) {
    if (!String(error).includes('locked')) throw error
  }
}

/** `libsql` keeps a statement that failed open until it is collected; nothing is committed before. */
async function collect(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  if (typeof gc === 'function') gc()
  // What is collected is closed in another turn.
  await new Promise((resolve) => setImmediate(resolve))
}

async function unlock(): Promise<void> {
  for (const { other } of places.values()) if (other.inTransaction) other.exec('rollback')
  await collect()
}

const outages: Outage[] = [
  {
    name: 'can only be read',
    stops: isWrite,
    begin: everywhere(({ database }) => void database.pragma('query_only = on')),
    end: everywhere(({ database }) => void database.pragma('query_only = off')),
  },
  { name: 'is full', stops: isGrowth, begin: everywhere(fill), end: everywhere(empty) },
  {
    name: 'somebody else keeps to themselves',
    // Whoever has begun to write has the file.
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
