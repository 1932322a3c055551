/** The rows of each release in database servers. */
import { readFileSync } from 'node:fs'
import { drizzle } from 'drizzle-orm/mysql2'
import { Redis } from 'ioredis'
import { sql } from 'kysely'
import { createPool } from 'mysql2'
import { afterAll, describe } from 'vitest'
import DrizzleAdapter from '../../src/adapters/drizzle.ts'
import PrismaAdapter from '../../src/adapters/prisma.ts'
import RedisAdapter from '../../src/adapters/redis.ts'
import type { PrintedTables } from '../adapters/drizzle-printed.ts'
import { connectPrisma } from '../adapters/prisma-client.ts'
import { onMigrated, schemaOf } from '../adapters/prisma-schemas.ts'
import { withServers } from '../adapters/servers.ts'
import { dumpRows, OPTIONS } from './databases.ts'
import { frozenVersions } from './frozen.ts'
import { dumpKeys, loadKeys } from './redis.ts'
import type { FrozenKey } from './redis.ts'
import type { FullAdapter } from './rows.ts'
import { openTables, testRows, testTables } from './rows-suite.ts'
import { hasSchemas } from './schemas.ts'

const here = new URL('./', import.meta.url)

/** The adapters whose tables and models `lib-auth schema` of the release has printed. */
const PRINTED: Readonly<Record<string, (version: string, url: string) => Promise<OpenAdapter>>> = {
  async Drizzle(version, uri) {
    const tables: PrintedTables = await import(`./${version}/database/drizzle.mysql.ts`)
    const pool = createPool({ uri, timezone: 'Z' })
    const adapter = DrizzleAdapter(drizzle(pool), tables, OPTIONS)
    return [adapter, () => pool.promise().end()]
  },
  async Prisma(version, url) {
    const models = readFileSync(new URL(`${version}/database/schema.mysql.prisma`, here), 'utf8')
    const client = await connectPrisma(
      [`frozen-${version}`, schemaOf('mysql', onMigrated(models))],
      ['@prisma/adapter-mariadb', 'PrismaMariaDb', url.replace('mysql:', 'mariadb:')],
    )
    return [PrismaAdapter(client), () => client.$disconnect()]
  },
}

type OpenAdapter = readonly [adapter: object, close: () => Promise<unknown>]

function testSchemas(version: string, server: string): void {
  const given = { version, store: 'rows.mariadb', dialect: 'mariadb', url: server } as const
  describe.each(Object.entries(PRINTED))(`the schema of ${version}, %s`, (_name, connect) =>
    testRows(given, async () => {
      const database = await openTables(given)
      const { rows } = await sql<{ name: string }>`select database() as name`.execute(database.db)
      const url = Object.assign(new URL(server), { pathname: `/${rows[0]?.name}` }).href
      const [adapter, disconnect] = await connect(version, url)
      return {
        adapter: adapter as FullAdapter,
        dump: () => dumpRows(database),
        close: async () => {
          await disconnect()
          await database.db.destroy()
        },
      }
    }),
  )
}

await withServers(['mariadb', 'redis'], ({ mariadb, redis: server }) => {
  const redis = new Redis(server.url)
  afterAll(() => redis.disconnect())
  for (const version of frozenVersions()) {
    testTables(version, 'mariadb', mariadb.url)
    if (hasSchemas(version)) testSchemas(version, mariadb.url)
    describe(`the keys of ${version}, Redis`, () =>
      testRows({ version, store: 'redis' }, async () => {
        const text = readFileSync(new URL(`${version}/database/redis.json`, here), 'utf8')
        await loadKeys(redis, JSON.parse(text) as FrozenKey[])
        return {
          adapter: RedisAdapter(redis),
          dump: () => dumpKeys(redis),
          close: async () => undefined,
        }
      }))
  }
})
