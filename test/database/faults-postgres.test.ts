import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import type { PoolClient } from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { orphansIn, storedIn } from './outage/sql.ts'
import { isAny, isGrowth, isWrite, testOutages } from './outage/suite.ts'
import type { Outage } from './outage/suite.ts'
import { withServers } from './servers.ts'

/** What PostgreSQL says when its disk is full, for as long as a row says that it is. */
const DISK = `
create table disk (is_full boolean);
insert into disk values (false);
create function write_to_disk() returns trigger language plpgsql as $$
begin
  if (select is_full from disk) then
    raise exception 'could not extend file "base/5/16384": No space left on device' using errcode = '53100';
  end if;
  return new;
end $$;
create trigger disk before insert or update on users for each row execute function write_to_disk();
create trigger disk before insert or update on accounts for each row execute function write_to_disk();
create trigger disk before insert or update on sessions for each row execute function write_to_disk();
create trigger disk before insert or update on verification_tokens for each row execute function write_to_disk();
`

await withServers(['postgres'], async ({ postgres: server }) => {
  const SIZE = 20
  const pool = new Pool({ connectionString: server.url, max: SIZE, idleTimeoutMillis: 0 })
  const lost = { idle: new Array<Error>(), busy: new Array<Error>() }
  // What docs/guides/database.md tells everybody to do; without it the process ends.
  pool.on('error', (error) => lost.idle.push(error))
  pool.on('connect', (client) => client.on('error', (error) => lost.busy.push(error)))
  const admin = new Pool({ connectionString: server.url, max: 1 })
  admin.on('error', () => undefined)
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
  const adapter = KyselyAdapter(db)

  for (const { statement } of createTables({ dialect: 'postgres' })) await admin.query(statement)
  await admin.query(DISK)

  afterAll(async () => {
    await pool.end()
    await admin.end()
  })

  /** Every connection takes the setting over before its next statement. */
  async function setReadOnly(value: 'on' | 'off'): Promise<void> {
    await admin.query(`alter system set default_transaction_read_only = ${value}`)
    await admin.query('select pg_reload_conf()')
    const isSet = async () => {
      const { rows } = await sql<{ default_transaction_read_only: string }>`
        show default_transaction_read_only`.execute(db)
      return rows[0]?.default_transaction_read_only === value
    }
    await vi.waitUntil(isSet, { timeout: 20_000 })
  }

  const taken: Promise<PoolClient>[] = []

  const outages: Outage[] = [
    {
      name: 'can only be read',
      stops: (method, before) =>
        isWrite(method) && !(before === 'linkAccount' && method === before),
      begin: () => setReadOnly('on'),
      end: () => setReadOnly('off'),
    },
    {
      name: 'is full',
      stops: isGrowth,
      begin: () => admin.query('update disk set is_full = true'),
      end: () => admin.query('update disk set is_full = false'),
    },
    {
      name: 'was stopped',
      stops: isAny,
      begin: () => server.stop('SIGINT'),
      end: () => server.restart(),
    },
    {
      name: 'does not answer',
      stops: isAny,
      begin: () => server.pause(),
      end: () => server.resume(),
    },
    {
      name: 'has no connection to spare',
      stops: isAny,
      begin: async () =>
        void taken.push(...Array.from({ length: SIZE }, async () => pool.connect())),
      end: async () =>
        void (await Promise.all(taken.map(async (client) => (await client).release()))),
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

  test('a connection that is lost is told to the listeners, whether it is in use or not', () => {
    expect(lost.idle).not.toEqual([])
    expect(lost.busy).not.toEqual([])
  })
})
