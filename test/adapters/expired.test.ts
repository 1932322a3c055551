/** deleteExpired deletes expired rows only, and yields to the event loop. */
import { Kysely, MysqlDialect, sql, SqliteDialect } from 'kysely'
import Database from 'libsql'
import { createPool } from 'mysql2'
import { afterAll, expect, test } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { withDatabases } from './databases.ts'

const DAY = 86_400_000

function createDatabase(): Database.Database {
  const database = new Database(':memory:')
  for (const { statement } of createTables({ dialect: 'sqlite' })) database.exec(statement)
  database.exec(`insert into users (id) values ('ada')`)
  return database
}

const adapterOver = (database: Database.Database) =>
  KyselyAdapter(new Kysely<object>({ dialect: new SqliteDialect({ database }) }))

test('deletes expired sessions in columns of milliseconds, as Drizzle creates them', async () => {
  const database = createDatabase()
  database.exec(
    `drop table sessions; create table sessions (sessionToken text primary key, userId text, expires integer not null)`,
  )
  const adapter = adapterOver(database)
  const now = Date.now()
  const add = database.prepare(`insert into sessions values (?, 'ada', ?)`)
  for (const [name, expires] of [
    ['expired number', now - 1],
    ['number', now + 30 * DAY],
    ['expired text', new Date(now - 1).toISOString()],
    ['text', new Date(now + 1).toISOString()],
  ])
    add.run([name, expires])
  await adapter.deleteExpired(new Date(now))
  const left = await adapter.listSessions('ada')
  expect(left.map(({ sessionToken }) => sessionToken).toSorted()).toEqual(['number', 'text'])
})

/** Inserts 5000 expired sessions. */
function fill(database: Database.Database): void {
  database.exec(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000) insert into sessions select 'token ' || i, 'ada', '2001-01-01T00:00:00.000Z' from n`,
  )
}

test('deletes many sessions without blocking the event loop', async () => {
  const database = createDatabase()
  fill(database)
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  await adapterOver(database).deleteExpired()
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
  expect(database.prepare('select * from sessions').all()).toEqual([])
})

await withDatabases(['mariadb'], ({ mariadb: { url } }) => {
  const connect = () => new Kysely<object>({ dialect: new MysqlDialect({ pool: createPool(url) }) })
  const clients = [connect(), connect(), connect()]
  const [client = connect()] = clients
  afterAll(async () => void (await Promise.all(clients.map((each) => each.destroy()))))

  test('several processes can delete expired sessions at the same time', async () => {
    for (const { statement } of createTables({ dialect: 'mariadb' }))
      await sql.raw(statement).execute(client)
    await sql`insert into users (id) values ('ada')`.execute(client)
    for (let round = 0; round < 10; round++) {
      await sql`insert into sessions (sessionToken, userId, expires)
        select concat(${round}, ' ', seq), 'ada', timestampadd(second, -seq, '2001-01-01') from seq_1_to_3000`.execute(
        client,
      )
      await Promise.all(clients.map((each) => KyselyAdapter(each).deleteExpired()))
      expect(await KyselyAdapter(client).listSessions('ada')).toEqual([])
    }
  })
})
