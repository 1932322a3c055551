/** A run that is interrupted is completed by the next one; MySQL does not create tables in transactions. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { migrate } from '../../../src/cli/database/migrate.ts'
import { withDatabases } from '../../adapters/databases.ts'
import { clear, UP_TO_DATE, query, run } from './run-migrate.ts'

const TABLES = ['users', 'accounts', 'sessions', 'verification_tokens', 'authenticators']
const STATEMENTS = 11
const PROGRAM = fileURLToPath(new URL('../../../dist/cli/index.js', import.meta.url))

/** The schema as lines; for MariaDB without index names, because a foreign key creates an index. */
const SCHEMA = {
  SQLite: async (url: string) =>
    (await query(url, 'select sql from sqlite_master where sql is not null order by sql')).map(
      (row) => JSON.stringify(row),
    ),
  PostgreSQL: async (url: string) => {
    const found = [
      ...(await query(
        url,
        `select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as "rule" from pg_constraint
         where connamespace = 'public'::regnamespace order by 1, 2`,
      )),
      ...(await query(
        url,
        "select indexdef from pg_indexes where schemaname = 'public' order by indexdef",
      )),
      ...(await query(
        url,
        `select table_name, column_name, data_type, is_nullable from information_schema.columns
         where table_schema = 'public' order by 1, 2`,
      )),
    ]
    return found.map((row) => JSON.stringify(row))
  },
  MariaDB: async (url: string) => {
    const lines: string[] = []
    for (const table of TABLES) {
      const [row] = await query(url, `show create table ${table}`)
      const text = String(Object.values(row ?? {})[1])
      const bare = text.replaceAll(/KEY `\w+` \(/g, 'KEY (').replaceAll(/,$/gm, '')
      lines.push(...bare.split('\n').sort())
    }
    return lines
  },
}

/** Kills the program when it starts a statement. @returns the signal */
async function killedBefore(statement: number, url: string): Promise<string | null> {
  const preload = `
    process.stderr.isTTY = true
    const write = process.stderr.write.bind(process.stderr)
    process.stderr.write = (text, ...more) =>
      String(text).includes('${statement} of ${STATEMENTS}: ')
        ? process.kill(process.pid, 'SIGKILL')
        : write(text, ...more)`
  const words = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`, PROGRAM]
  return new Promise((resolve) => {
    const program = execFile(process.execPath, [...words, 'migrate', '--url', url, '--yes'], () =>
      resolve(program.signalCode),
    )
  })
}

/** Breaks every other connection to the database. */
async function disconnectOthers(url: string): Promise<void> {
  if (url.startsWith('postgres')) {
    const others = 'datname = current_database() and pid <> pg_backend_pid()'
    await query(url, `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`)
    return
  }
  const others = 'db = database() and id <> connection_id()'
  for (const row of await query(
    url,
    `select id from information_schema.processlist where ${others}`,
  ))
    if (typeof row === 'object' && row && 'id' in row) await query(url, `kill ${String(row.id)}`)
}

/** The type of ids that `migrate` creates. */
const ID = 'varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin'

await withDatabases(['postgres', 'mariadb'], ({ postgres, mariadb }) => {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-interrupted-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  let number = 0
  const places = [
    { name: 'SQLite', ids: 'text', urlOf: () => `file:${join(folder, `${++number}.db`)}` },
    { name: 'PostgreSQL', ids: 'text', urlOf: () => postgres.url },
    { name: 'MariaDB', ids: 'text', urlOf: () => mariadb.url },
    { name: 'MariaDB', ids: 'integer', urlOf: () => mariadb.url },
  ] as const

  describe.each(places)('$name, with ids of type $ids', ({ name, ids, urlOf }) => {
    async function empty(): Promise<string> {
      const url = urlOf()
      await clear(url)
      return url
    }

    test('has the same schema after an interrupted and a second run as after one run', async () => {
      const url = await empty()
      await run({ url, ids })
      const whole = await SCHEMA[name](url)
      expect(whole.filter((line) => /foreign key/i.test(line))).toHaveLength(3)
      for (let done = 0; done < STATEMENTS; done++) {
        const broken = await empty()
        const stop = (line: string) => {
          if (line.startsWith(`${done + 1} of ${STATEMENTS}: `)) throw new Error('interrupted')
        }
        await expect(run({ url: broken, ids }, stop)).rejects.toThrow('interrupted')
        expect(await run({ url: broken, ids })).toMatchObject({ isDone: true })
        expect(await SCHEMA[name](broken), `after ${done} statements`).toEqual(whole)
        expect((await run({ url: broken, ids })).lines).toEqual([UP_TO_DATE])
      }
    })
  })

  test.each([2, 3, 10])(
    'MariaDB is complete after a process that was killed before statement %i and a second run',
    async (statement) => {
      const { url } = mariadb
      await clear(url)
      await run({ url })
      const whole = await SCHEMA.MariaDB(url)
      await clear(url)
      expect(await killedBefore(statement, url)).toBe('SIGKILL')
      expect(await run({ url })).toMatchObject({ isDone: true })
      expect(await SCHEMA.MariaDB(url)).toEqual(whole)
    },
  )

  test.each(['PostgreSQL', 'MariaDB'] as const)(
    'reports a connection to %s that breaks before the answer, and changes nothing',
    async (name) => {
      const { url } = name === 'PostgreSQL' ? postgres : mariadb
      await clear(url)
      const terminal = {
        print: () => {},
        warn: () => {},
        progress: () => {},
        async confirm() {
          await disconnectOthers(url)
          return true
        },
      }
      await expect(migrate({ url }, terminal)).rejects.toThrow(/^The database reported an error: /)
      expect((await run({ url })).lines.at(-1)).toBe(`Ran ${STATEMENTS} statements.`)
    },
  )

  test('reports a missing permission of PostgreSQL', async () => {
    const { url } = postgres
    await clear(url)
    await run({ url })
    await query(
      url,
      'drop index users_email',
      'drop role if exists stranger',
      "create role stranger login password 'x'",
      'grant usage on schema public to stranger',
    )
    const strangerUrl = Object.assign(new URL(url), { username: 'stranger', password: 'x' }).href
    try {
      await expect(run({ url: strangerUrl })).rejects.toThrow(
        'The database reported an error: permission denied for table users',
      )
    } finally {
      await query(url, 'drop owned by stranger', 'drop role stranger')
    }
  })

  test.each([
    ['of another collation', 'id varchar(255) primary key'],
    ['that are unsigned', 'id bigint unsigned primary key auto_increment'],
    ['that are not a key', `id ${ID}`],
    ['that select a partition', `id ${ID} primary key`, 'partition by key (id)'],
  ])('MariaDB creates tables without foreign keys for user ids %s', async (what, id, rest = '') => {
    const { url } = mariadb
    await clear(url)
    await query(url, `create table users (${id}, email varchar(200)) ${rest}`)
    const ids = what.includes('unsigned') ? 'integer' : 'text'
    const options = { url, ids, uniqueEmail: !rest } as const
    expect(await run(options)).toMatchObject({ isDone: true })
    expect((await SCHEMA.MariaDB(url)).join('\n')).not.toMatch(/foreign key/i)
    expect((await run(options)).lines).toEqual([UP_TO_DATE])
  })
})
