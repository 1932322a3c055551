/** `migrate` with servers that do not answer or that lie, names that no database keeps, and files that do not exist. */
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { withDatabase } from '../../../src/cli/database/connect.ts'
import { migrate } from '../../../src/cli/database/migrate.ts'
import { withDatabases } from '../../adapters/databases.ts'
import { folderWith } from '../folder.ts'
import { runIn } from '../program.ts'
import { addTo, clear, query, run } from './run-migrate.ts'

/** A server that sends the answer after the first bytes, and its port. */
async function serverWith(answer?: Buffer): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    if (answer) socket.once('data', () => socket.end(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** An error of PostgreSQL with this message. */
function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C28P01\0M${message}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

test.each(['postgres', 'mysql'])(
  'a server of %s that does not answer is an error',
  async (kind) => {
    const url = `${kind}://ada:s3cret@127.0.0.1:${await serverWith()}/app`
    const connecting = withDatabase(url, async () => 'connected', { connectTimeout: 200 })
    await expect(connecting).rejects.toThrow(/^The database does not answer: .*time/i)
  },
)

test('control characters in the answer of a server are not printed', async () => {
  const port = await serverWith(refusal('no\x1b]0;title\x07\nRun: it'))
  const words = ['migrate', '--check', '--url', `postgres://ada:s3cret@127.0.0.1:${port}/app`]
  expect(await runIn(folderWith({}), words)).toEqual({
    status: 1,
    stdout: '',
    stderr: String.raw`The database refused the connection: no\x1b]0;title\x07` + '\nRun: it\n',
  })
})

test.each(['--check', '--dry-run'])('%s creates no SQLite file', async (option) => {
  const folder = folderWith({})
  const { status, stdout } = await runIn(folder, ['migrate', option, '--url', 'file:app.db'])
  expect(stdout).toContain('create table "users" (')
  expect(status).toBe(option === '--check' ? 1 : 0)
  expect(existsSync(join(folder, 'app.db'))).toBe(false)
  const lost = await runIn(folder, ['migrate', option, '--url', 'file:no/app.db'])
  expect(lost.status).toBe(1)
  expect(lost.stderr).toContain('The file cannot be opened')
})

describe('names are refused', () => {
  test.each([
    [['--table', 'users=sessions'], 'Two tables have the same name: "sessions".'],
    [['--column', 'users.email=name'], 'Two columns of users have the same name: "name".'],
    [['--with', 'records', '--table', 'users=records'], 'Two tables have the same name'],
    [['--table', `users=${'é'.repeat(32)}`], ' is too long: at most 63 bytes.'],
    [['--dialect', 'mysql', '--table', `users=${'é'.repeat(65)}`], 'at most 64 characters.'],
  ])('%j', async (words, message) => {
    const { status, stderr } = await runIn(folderWith({}), [
      'schema',
      '--adapter',
      'kysely',
      ...words,
    ])
    expect(stderr).toContain(message)
    expect(status).toBe(2)
  })

  test('but not that of a table that is not used', async () => {
    const words = ['schema', '--adapter', 'kysely', '--table', 'users=records']
    expect(await runIn(folderWith({}), words)).toMatchObject({ status: 0, stderr: '' })
  })
})

await withDatabases(['postgres'], ({ postgres: { url } }) => {
  test('an index that PostgreSQL has marked as invalid is missing', async () => {
    await clear(url)
    await run({ url })
    const index = `"sessions_userId" on "sessions" ("userId")`
    await query(url, `drop index "sessions_userId"`, `create index concurrently ${index}`)
    expect(await run({ url, isCheck: true })).toMatchObject({ isDone: true })
    await query(
      url,
      `update pg_index set indisvalid = false where indexrelid = '"sessions_userId"'::regclass`,
    )
    expect(await run({ url, isCheck: true })).toEqual({
      isDone: false,
      lines: [`create index ${index};\n`],
    })
  })

  test('the command that creates a missing schema quotes its name', async () => {
    await expect(run({ url, schema: 'a"; drop' })).rejects.toThrow('Run: create schema "a""; drop"')
  })
})

test('a partial index of SQLite does not replace that of all rows', async () => {
  const url = `file:${join(folderWith({}), 'app.db')}`
  await run({ url })
  await query(
    url,
    'drop index users_email',
    `create unique index own on users (email) where name is not null`,
  )
  expect((await run({ url, isCheck: true })).lines).toEqual([
    'create unique index "users_email" on "users" ("email");\n',
  ])
})

await withDatabases(['postgres'], ({ postgres: { url } }) => {
  test('says that it waits for another process that migrates', async () => {
    await clear(url)
    const lock = `lock(hashtext('lib-auth migrate'))`
    await withDatabase(url, async ({ db }) => {
      await sql.raw(`select pg_advisory_${lock}`).execute(db)
      const said: string[] = []
      const quiet = { print: () => {}, progress: () => {}, confirm: async () => null }
      const second = migrate({ isConfirmed: true, url }, { ...quiet, warn: addTo(said) })
      await expect.poll(() => said, { timeout: 30_000 }).toHaveLength(1)
      expect(said).toEqual(['Waiting for another process that migrates.'])
      await sql.raw(`select pg_advisory_un${lock}`).execute(db)
      expect(await second).toBe(true)
    })
  })
})

await withDatabases(['mariadb'], ({ mariadb: { url } }) => {
  test('without its lock, no statement is run', async () => {
    await clear(url)
    await withDatabase(url, async ({ db }) => {
      await sql`select get_lock('lib-auth migrate', 0)`.execute(db)
      const second = run({ url }).then(String, String)
      const waiting = sql<{ id: number }>`
        select id from information_schema.processlist where info like '%600) as locked' and id <> connection_id()`
      await expect
        .poll(async () => {
          const [found] = (await waiting.execute(db)).rows
          if (found) await sql.raw(`kill query ${found.id}`).execute(db)
          return found?.id
        })
        .toBeGreaterThan(0)
      expect(await second).toContain('of another process that migrates could not be taken')
      expect(await db.introspection.getTables()).toEqual([])
    })
  })
})
