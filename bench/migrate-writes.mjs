// node bench/migrate-writes.mjs [count]: for how long `migrate` delays writes to a table of sessions, in PostgreSQL and
// MariaDB. The table is that of `next-auth` 5: two indexes are missing.
import './production.mjs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Kysely, MysqlDialect, PostgresDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import { Pool } from 'pg'
import { createTables } from '../dist/cli/database/create-tables.js'
import { startMariaDB, startPostgres } from '../tools/databases.mjs'
import { assert } from './setup.mjs'

const COUNT = Number(process.argv[2] ?? 1_000_000)
const LATER = "'2030-01-01 00:00:00'"
const SERVERS = {
  PostgreSQL: {
    dialect: 'postgres',
    start: startPostgres,
    connect: (url) => new PostgresDialect({ pool: new Pool({ connectionString: url }) }),
    fill: `insert into sessions select md5(id::text), 'ada', ${LATER} from generate_series(1, ${COUNT}) as id`,
  },
  MariaDB: {
    dialect: 'mariadb',
    start: startMariaDB,
    connect: (url) => new MysqlDialect({ pool: createPool(url) }),
    fill: `insert into sessions select md5(seq), 'ada', ${LATER} from seq_1_to_${COUNT}`,
  },
}

/** Creates the tables without the indexes that only this library has. */
async function fillTables(db, { dialect, fill }) {
  for (const { statement } of createTables({ dialect }))
    if (!statement.startsWith('create index')) await sql.raw(statement).execute(db)
  await sql.raw("insert into users (id, name) values ('ada', 'Ada')").execute(db)
  await sql.raw(fill).execute(db)
}

/** Writes sessions until the work is done; returns the longest time that a write has taken, in milliseconds. */
async function writeDuring(db, work) {
  const state = { isDone: false }
  let longest = 0
  let count = 0
  const done = work().finally(() => (state.isDone = true))
  while (!state.isDone) {
    const begin = performance.now()
    await sql.raw(`insert into sessions values ('new ${count++}', 'ada', ${LATER})`).execute(db)
    longest = Math.max(longest, performance.now() - begin)
  }
  await done
  return { longest, count }
}

async function migrate(url) {
  const program = fileURLToPath(new URL('../dist/cli/index.js', import.meta.url))
  const args = [program, 'migrate', '--url', url, '--yes', '--with', 'records,factors,passwords']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [status] = await once(child, 'close')
  assert(status === 0, 'migrate succeeds')
}

for (const [name, server] of Object.entries(SERVERS)) {
  const { url, stop } = await server.start()
  const db = new Kysely({ dialect: server.connect(url) })
  try {
    await fillTables(db, server)
    const begin = performance.now()
    const { longest, count } = await writeDuring(db, () => migrate(url))
    const seconds = (performance.now() - begin) / 1000
    console.log(
      `${name}: migrate of ${COUNT} sessions took ${seconds.toFixed(1)} s; of ${count} writes, the longest took ${longest.toFixed(0)} ms`,
    )
  } finally {
    await db.destroy()
    await stop?.()
  }
}
