/** Each place of tokens, with each session strategy and each kind of storage. */
import { Redis } from 'ioredis'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import type { Dialect } from 'kysely'
import { Pool } from 'pg'
import { afterAll, describe } from 'vitest'
import KyselyAdapter from '../../../src/adapters/kysely.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import RedisAdapter from '../../../src/adapters/redis.ts'
import { openSqlite } from '../../../src/adapters/sqlite.ts'
import { createTables } from '../../../src/cli/database/create-tables.ts'
import type { Adapter, AuthConfig } from '../../../src/index.ts'
import { ownersOf, storeOf } from './record-store.ts'

type Settings = Pick<AuthConfig, 'adapter' | 'session' | 'store' | 'tokens'>

export type PlaceName = 'account' | 'store' | 'cookie'

/** A place of tokens. */
export interface Place {
  readonly where: PlaceName
  readonly strategy: 'jwt' | 'database'
  readonly hashTokens?: true | undefined
  /** An adapter without rows. */
  readonly openAdapter: () => Promise<Adapter>
}

/** The configuration that stores tokens in a place. */
export function settingsFor({ where, strategy, hashTokens }: Place, adapter: Adapter): Settings {
  const session = { strategy, ...(hashTokens && { hashTokens }) }
  if (where === 'account') return { adapter, session, tokens: {} }
  if (strategy === 'database') return { adapter, session, tokens: { where } }
  return where === 'store' ? { store: storeOf(adapter), tokens: {} } : { tokens: {} }
}

/** All that is stored for Ada: account, records, and what belongs to them. */
export async function dump(adapter: Adapter): Promise<string> {
  const user = await adapter.getUserByEmail?.('ada@example.com')
  const accounts = user ? await adapter.listAccounts?.(user.id) : []
  const owners = user ? [`user:${user.id}`] : [...ownersOf(adapter)]
  const records = await Promise.all(owners.map(async (owner) => adapter.listRecords?.(owner)))
  return JSON.stringify([user, accounts, records])
}

export type OpenAdapter = Place['openAdapter']

async function openKysely(dialect: Dialect, name: 'postgres' | 'sqlite'): Promise<OpenAdapter> {
  const db = new Kysely<Record<string, object>>({ dialect })
  afterAll(() => db.destroy())
  for (const { statement } of createTables({ dialect: name, with: ['records'] }))
    await sql.raw(statement).execute(db)
  const tables = [
    'records',
    'sessions',
    'accounts',
    'verification_tokens',
    'authenticators',
    'users',
  ]
  const created = new Set((await db.introspection.getTables()).map((each) => each.name))
  const present = tables.filter((table) => created.has(table))
  return async () => {
    for (const table of present) await db.deleteFrom(table).execute()
    return KyselyAdapter(db, { with: ['records'] })
  }
}

const ALL: readonly PlaceName[] = ['account', 'store', 'cookie']

/** Registers tests for each database; those of a missing server are skipped. */
export async function forEachDatabase(
  register: (storage: string, openAdapter: OpenAdapter) => void,
): Promise<void> {
  const { withDatabases } = await import('../../adapters/databases.ts')
  const sqlite = new SqliteDialect({ database: async () => openSqlite(':memory:') })
  register('SQLite', await openKysely(sqlite, 'sqlite'))
  await withDatabases(['postgres'], async ({ postgres }) => {
    const pool = new Pool({ connectionString: postgres.url })
    const dialect = new PostgresDialect({ pool })
    register('PostgreSQL', await openKysely(dialect, 'postgres'))
  })
  await withDatabases(['redis'], ({ redis }) => {
    const client = new Redis(redis.url)
    afterAll(() => client.disconnect())
    const openRedis = async () => RedisAdapter(client, { prefix: `tokens-${crypto.randomUUID()}:` })
    register('Redis', openRedis)
  })
}

/** Registers tests for each place; those of a missing server are skipped. */
export async function forEachPlace(
  register: (place: Place) => void,
  wheres: readonly PlaceName[] = ALL,
  strategies: readonly Place['strategy'][] = ['jwt', 'database'],
): Promise<void> {
  function describePlaces(storage: string, openAdapter: OpenAdapter): void {
    for (const where of wheres)
      for (const strategy of strategies) {
        const usesNoStorage = where === 'cookie' && strategy === 'jwt'
        if (usesNoStorage && storage !== 'memory') continue
        const name = usesNoStorage ? 'no storage' : storage
        describe(`tokens with ${where}, ${strategy} sessions, ${name}`, () =>
          register({ where, strategy, openAdapter }))
      }
  }

  describePlaces('memory', async () => MemoryAdapter())
  // The drivers of databases are tested on Node.js.
  if (!process.env['RUNTIME']) await forEachDatabase(describePlaces)
}
