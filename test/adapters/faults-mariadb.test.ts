import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import type { PoolConnection } from 'mysql2'
import { afterAll } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { orphansIn, storedIn } from './outage/sql.ts'
import { isAny, isGrowth, isWrite, testOutages } from './outage/suite.ts'
import type { Outage } from './outage/suite.ts'
import { withServers } from './servers.ts'

/**
 * Triggers that raise MariaDB's error for a full disk while an otherwise unused setting is 1: a row as the switch
 * would be locked by every reader.
 */
const DISK = ['users', 'accounts', 'sessions', 'verification_tokens'].flatMap((table) =>
  ['insert', 'update'].map(
    (change) => `create trigger ${table}_${change} before ${change} on ${table} for each row
      if @@global.default_week_format = 1 then
        signal sqlstate 'HY000' set mysql_errno = 1114, message_text = 'The table is full';
      end if`,
  ),
)

/** A user who cannot write to a read-only server. */
const OWNER = [
  `create user 'owner'@'%' identified by 'owner'`,
  `grant select, insert, update, delete on test.* to 'owner'@'%'`,
]

await withServers(['mariadb'], async ({ mariadb: server }) => {
  const SIZE = 20
  const admin = createPool({ uri: server.url, connectionLimit: 1 })
  const run = (statement: string) => admin.promise().query(statement)
  const tables = createTables({ dialect: 'mariadb' }).map(({ statement }) => statement)
  for (const statement of [...tables, ...DISK, ...OWNER]) await run(statement)

  const uri = server.url.replace('test:test', 'owner:owner')
  const pool = createPool({ uri, connectionLimit: SIZE })
  const db = new Kysely<object>({ dialect: new MysqlDialect({ pool }) })
  const adapter = KyselyAdapter(db)

  afterAll(async () => {
    await db.destroy()
    await admin.promise().end()
  })

  const taken: Promise<PoolConnection>[] = []
  const take = () =>
    new Promise<PoolConnection>((resolve, reject) =>
      pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection))),
    )

  const outages: Outage[] = [
    {
      name: 'is read-only',
      stops: isWrite,
      begin: () => run('set global read_only = on'),
      end: () => run('set global read_only = off'),
    },
    {
      name: 'is full',
      stops: isGrowth,
      begin: () => run('set global default_week_format = 1'),
      end: () => run('set global default_week_format = 0'),
    },
    {
      name: 'was stopped',
      stops: isAny,
      begin: () => server.stop(),
      end: () => server.restart(),
    },
    {
      name: 'does not respond',
      stops: isAny,
      isSilent: true,
      begin: () => server.pause(),
      end: () => server.resume(),
    },
    {
      name: 'has no free connection',
      stops: isAny,
      isSilent: true,
      begin: async () => void taken.push(...Array.from({ length: SIZE }, take)),
      end: async () =>
        void (await Promise.all(taken.map(async (connection) => (await connection).release()))),
    },
  ]

  await testOutages(
    {
      open: () => adapter,
      stored: (visitor) => storedIn(db, visitor),
      orphans: () => orphansIn(db),
    },
    outages,
  )
})
