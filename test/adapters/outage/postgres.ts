/** The outages of a PostgreSQL server, for adapters over a pool of `pg`. */
import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import type { PoolClient } from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import type { Adapter } from '../../../src/adapters/index.ts'
import { createTables } from '../../../src/cli/database/create-tables.ts'
import { withServers } from '../servers.ts'
import { orphansIn, storedIn } from './sql.ts'
import { isAny, isGrowth, isWrite, testOutages } from './suite.ts'
import type { Outage } from './suite.ts'

/** Triggers that raise PostgreSQL's error for a full disk while a flag is set. */
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

const SIZE = 20

/**
 * Registers the tests for an adapter over a pool.
 *
 * @param listeners - `none`: the library over the pool has its own for lost connections
 */
export async function testOnPostgres(
  open: (pool: Pool) => Adapter | Promise<Adapter>,
  listeners: 'ours' | 'none' = 'ours',
): Promise<void> {
  await withServers(['postgres'], async ({ postgres: server }) => {
    const pool = new Pool({ connectionString: server.url, max: SIZE, idleTimeoutMillis: 0 })
    const lost = { idle: new Array<Error>(), busy: new Array<Error>() }
    if (listeners === 'ours') {
      // As docs/databases/kysely.md advises; without it the process ends.
      pool.on('error', (error) => lost.idle.push(error))
      pool.on('connect', (client) => client.on('error', (error) => lost.busy.push(error)))
    }
    const admin = new Pool({ connectionString: server.url, max: 1 })
    admin.on('error', () => undefined)
    const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })

    for (const { statement } of createTables({ dialect: 'postgres' })) await admin.query(statement)
    await admin.query(DISK)
    const adapter = await open(pool)

    afterAll(async () => {
      await pool.end()
      await admin.end()
    })

    /** Waits until the connections use the setting. */
    async function setReadOnly(value: 'on' | 'off'): Promise<void> {
      await admin.query(`alter system set default_transaction_read_only = ${value}`)
      await admin.query('select pg_reload_conf()')
      const isSet = async () => {
        const { rows } = await pool.query<{ default_transaction_read_only: string }>(
          'show default_transaction_read_only',
        )
        return rows[0]?.default_transaction_read_only === value
      }
      await vi.waitUntil(isSet, { timeout: 20_000 })
    }

    const taken: Promise<PoolClient>[] = []

    const outages: Outage[] = [
      {
        name: 'is read-only',
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

    if (listeners === 'none') return
    test('reports a lost connection to the listeners, in use or idle', () => {
      expect(lost.idle).not.toEqual([])
      expect(lost.busy).not.toEqual([])
    })
  })
}
