// node bench/deny-list-size.mjs [count]: bytes of ended sessions (`session.revocation`) in Redis and PostgreSQL.
//
// A sign-out through the library writes the first record. The others have its form and another key, and are written in bulk.
import './production.mjs'
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Auth } from 'lib-auth'
import KyselyAdapter from 'lib-auth/adapters/kysely'
import RedisAdapter from 'lib-auth/adapters/redis'
import { Pool } from 'pg'
import { createTables } from '../dist/cli/database/create-tables.js'
import { startPostgres, startRedis } from '../tools/databases.mjs'
import { assert, common, cookiesOf, op, openid, request, signInAtProvider } from './setup.mjs'

const COUNT = Number(process.argv[2] ?? 1_000_000)
const BATCH = 10_000
/** What follows `ended:` in the key of a record. */
const DIGEST = /(?<=ended:)[\w-]{43}/

/** Signs in and out, so that the store contains one ended session. */
async function endSession(store) {
  const config = {
    ...common,
    providers: [openid],
    fetch: op.fetch,
    store,
    session: { strategy: 'jwt', revocation: {} },
  }
  const handle = (incoming) => Auth(incoming, config)
  const { response } = await signInAtProvider(handle)
  const session = cookiesOf(response)
  const answer = await handle(request('csrf', { cookie: session }))
  const { csrfToken } = await answer.json()
  const cookie = `${cookiesOf(answer)}; ${session}`
  await handle(request('signout', { method: 'POST', cookie, form: { csrfToken } }))
}

async function measureRedis() {
  const server = await startRedis()
  const client = new Redis(server.url)
  try {
    await endSession(RedisAdapter(client))
    const [key, ...others] = (await client.keys('*')).filter((each) => DIGEST.test(each))
    assert(key && others.length === 0, 'one session has ended')
    const value = await client.get(key)
    const expires = await client.pexpiretime(key)
    const usage = await client.memory('USAGE', key)
    const memory = async () => Number(/^used_memory:(\d+)/m.exec(await client.info('memory'))[1])
    const before = await memory()
    for (let written = 0; written < COUNT; written += BATCH) {
      const batch = client.pipeline()
      for (let each = 0; each < Math.min(BATCH, COUNT - written); each++) {
        const digest = randomBytes(32).toString('base64url')
        const other = [key, value].map((text) => text.replaceAll(new RegExp(DIGEST, 'g'), digest))
        batch.set(...other, 'PXAT', expires)
      }
      await batch.exec()
    }
    const after = await memory()
    assert((await client.dbsize()) >= COUNT, 'records are missing')
    const last = (await client.scan(0, 'COUNT', 10))[1].find((each) => DIGEST.test(each))
    assert((await client.memory('USAGE', last)) === usage, 'the records differ from the first one')
    const [, version] = /^redis_version:(\S+)/m.exec(await client.info('server'))
    return { name: `Redis ${version}`, bytes: after - before }
  } finally {
    client.disconnect()
    await server.end()
  }
}

async function measurePostgres() {
  const server = await startPostgres()
  const db = new Kysely({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: server.url }) }),
  })
  const one = async (statement) => (await statement.execute(db)).rows[0]
  try {
    for (const { statement } of createTables({ dialect: 'postgres', with: ['records'] }))
      await sql.raw(statement).execute(db)
    await endSession(KyselyAdapter(db, { with: ['records'] }))
    const record = await one(sql`select * from records where key like 'ended:%'`)
    assert(DIGEST.test(record?.key), 'one session has ended')
    const { size: before } = await one(sql`select pg_total_relation_size('records') as size`)
    // Two random UUIDs, of which 32 bytes in base64url make a key as long as that of the library.
    const digest = sql`rtrim(translate(encode(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'base64'), '+/', '-_'), '=')`
    await sql`insert into records select 'ended:' || ${digest}, value, owner, expires from records, generate_series(1, ${COUNT}) where key = ${record.key}`.execute(
      db,
    )
    await sql`vacuum analyze records`.execute(db)
    const { size: after } = await one(sql`select pg_total_relation_size('records') as size`)
    const { rows, lengths } = await one(
      sql`select count(*) as rows, count(distinct length(key)) as lengths from records where key like 'ended:%'`,
    )
    assert(Number(rows) === COUNT + 1 && Number(lengths) === 1, 'the records differ from the first')
    const { version } = await one(sql`select current_setting('server_version') as version`)
    return { name: `PostgreSQL ${version.split(' ')[0]}`, bytes: after - before }
  } finally {
    await db.destroy()
    await server.end()
  }
}

console.log(`| ${COUNT} ended sessions | bytes each | in total |`)
console.log('| --- | ---: | ---: |')
for (const measure of [measureRedis, measurePostgres]) {
  const { name, bytes } = await measure()
  const each = (bytes / COUNT).toFixed(0)
  console.log(`| ${name} | ${each} | ${(bytes / 1_000_000).toFixed(0)} MB |`)
}
process.exit(0)
