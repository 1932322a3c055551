import dns from 'node:dns'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import KyselyAdapter from '../../../src/adapters/kysely.ts'
import { withDatabase } from '../../../src/cli/database/connect.ts'
import { migrate } from '../../../src/cli/database/migrate.ts'
import type { MigrateOptions } from '../../../src/cli/database/migrate.ts'
import { withDatabases } from '../../adapters/databases.ts'
import { addTo, clear, query } from './run-migrate.ts'

await withDatabases(['postgres', 'mariadb'], async ({ postgres, mariadb }) => {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-migrate-'))

  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
  })

  const UP_TO_DATE = 'The database is up to date.'

  /** Runs the command, and answers its question. */
  async function run(options: MigrateOptions, answer: boolean | null = true) {
    const lines: string[] = []
    const progress: string[] = []
    const questions: string[] = []
    const isDone = await migrate(options, {
      print: addTo(lines),
      warn: addTo(lines),
      progress: (line) => void progress.push(line),
      async confirm(question) {
        questions.push(question)
        return answer
      },
    })
    return { isDone, lines, progress, questions, text: lines.join('\n') }
  }

  let number = 0
  const nextFile = () => `file:${join(folder, `${++number}.db`)}`

  const DATABASES = [
    { name: 'SQLite', url: nextFile(), date: 'varchar(30)', wrong: 'integer' },
    {
      name: 'PostgreSQL',
      url: postgres.url,
      date: 'timestamptz',
      wrong: 'timestamp',
    },
    {
      name: 'MariaDB',
      url: mariadb.url,
      date: 'datetime',
      wrong: 'varchar(30)',
    },
  ]

  describe.each(DATABASES)('a database of $name', ({ name, url: fixed, date, wrong }) => {
    let url = fixed
    beforeEach(async () => {
      if (name === 'SQLite') url = nextFile()
      else await clear(url)
    })

    test('that is empty gets all tables after confirmation, and is then up to date', async () => {
      const first = await run({ url })
      expect(first.questions).toEqual(['Run 11 statements?'])
      expect(first.text.match(/create table/g)).toHaveLength(5)
      expect(first.progress.at(0)).toBe('1 of 11: create table users')
      expect(first.progress).toHaveLength(11)
      expect(first.isDone).toBe(true)

      const user = { id: crypto.randomUUID(), email: 'ada@example.com', emailVerified: null }
      await withDatabase(url, async ({ db }) => {
        const adapter = KyselyAdapter(db)
        const stored = await adapter.createUser(user)
        expect(await adapter.getUser(stored.id)).toMatchObject(user)
      })

      const second = await run({ url })
      expect(second.lines).toEqual([UP_TO_DATE])
      expect(second.isDone).toBe(true)
    })

    test('without the optional tables gets them, and keeps its rows and other tables', async () => {
      await run({ url })
      const user = { id: 'ada', email: 'ada@example.com', emailVerified: null }
      await withDatabase(url, async ({ db }) => {
        await KyselyAdapter(db).createUser(user)
      })
      const optional = { with: ['factors', 'passwords'] } as const
      const added = await run({ url, ...optional })
      expect(added.questions).toEqual(['Run 3 statements?'])
      expect(added.text).not.toContain('alter table')
      expect((await run({ url, ...optional })).lines).toEqual([UP_TO_DATE])
      expect((await run({ url })).lines).toEqual([UP_TO_DATE])
      const created = new Date('2026-05-04T03:02:01.234Z')
      await withDatabase(url, async ({ db }) => {
        const adapter = KyselyAdapter(db, optional)
        const factor = { id: 'f', userId: 'ada', type: 'totp', secret: 's', name: null } as const
        await adapter.createFactor({ ...factor, lastStep: null, confirmed: false, created })
        expect(await adapter.setPassword('ada', { hash: 'h', changed: created }, null)).toBe(true)
        expect(await adapter.getUser('ada')).toMatchObject(user)
        // The database deletes the rows of a user, too.
        await KyselyAdapter(db).deleteUser('ada')
        if (name !== 'SQLite') {
          expect(await adapter.listFactors('ada')).toEqual([])
          expect(await adapter.getPassword('ada')).toBeNull()
        }
      })
    })

    test('is not changed if the question is declined, without a terminal, or in a dry run', async () => {
      const declined = await run({ url }, false)
      expect(declined.lines.at(-1)).toBe('No statement was run.')
      expect(declined.isDone).toBe(false)
      await expect(run({ url }, null)).rejects.toThrow('Use --yes')
      const shown = await run({ url, isDryRun: true })
      expect(shown.text).toContain('create table')
      expect(shown.questions).toEqual([])
      await expect(query(url, 'select * from users')).rejects.toThrow()
    })

    test('is changed without a question with --yes', async () => {
      const { questions, isDone } = await run({ url, isConfirmed: true })
      expect(questions).toEqual([])
      expect(isDone).toBe(true)
    })

    test('gets missing columns, and keeps its rows', async () => {
      await query(
        url,
        'create table users (id varchar(36) primary key, email varchar(200) unique, plan varchar(20))',
        "insert into users (id, email, plan) values ('1', 'ada@example.com', 'paid')",
      )
      const { text, isDone } = await run({ url, isConfirmed: true })
      expect(isDone).toBe(true)
      expect(text).toMatch(/alter table .users. add column .emailVerified./)
      expect(text).not.toMatch(/create table .users./)
      expect(text, 'the address is unique already').not.toContain('users_email')
      await withDatabase(url, async ({ db }) => {
        const user = await KyselyAdapter(db).getUser('1')
        expect(user).toMatchObject({ email: 'ada@example.com', plan: 'paid', emailVerified: null })
      })
      expect((await run({ url })).lines).toEqual([UP_TO_DATE])
    })

    test('with integer ids is reported before anything is created', async () => {
      await query(url, 'create table users (id integer primary key, email varchar(200))')
      const { lines, isDone } = await run({ url, isConfirmed: true })
      expect(isDone).toBe(false)
      expect(lines).toEqual([
        expect.stringMatching(/^! The table "users" has ids .+--ids integer$/),
      ])
    })

    test('gets the unique index of a table without a key', async () => {
      await query(
        url,
        `create table verification_tokens (identifier varchar(200) not null, token varchar(200) not null, expires ${date} not null)`,
      )
      const { text } = await run({ url, isConfirmed: true })
      expect(text).toMatch(/create unique index .verification_tokens_identifier_token./)
      expect((await run({ url })).lines).toEqual([UP_TO_DATE])
    })

    test('is not changed if data could be destroyed', async () => {
      await query(
        url,
        'create table verification_tokens (identifier varchar(200) not null, token varchar(200) not null)',
        "insert into verification_tokens (identifier, token) values ('ada@example.com', 'x')",
      )
      const { lines, isDone } = await run({ url, isConfirmed: true })
      expect(isDone).toBe(false)
      expect(lines.at(0)).toBe(
        '! The table "verification_tokens" has rows, but no column "expires", which must not be null. Add and fill it yourself, or empty the table. If it is another table of your application, choose a name with --table verificationTokens=<name>, and in the option tables of the adapter.',
      )
      const rows = await query(url, 'select * from verification_tokens')
      expect(rows).toEqual([{ identifier: 'ada@example.com', token: 'x' }])
    })

    test('with unsuitable columns is reported', async () => {
      await query(
        url,
        `create table verification_tokens (identifier varchar(200) not null, token varchar(200) not null, expires ${wrong} not null)`,
        'create table users (id varchar(36) primary key, email varchar(200), plan varchar(20) not null)',
      )
      const { lines, isDone } = await run({ url, isConfirmed: true })
      expect(isDone).toBe(false)
      expect(lines.slice(0, 2)).toEqual([
        '! The table "users" has an additional column "plan" that is not null and has no default, so no row could be inserted. Give it a default, or allow null.',
        expect.stringMatching(
          /^! The column "expires" of the table "verification_tokens" is of type .+(?:Change it to|run:) /,
        ),
      ])
    })

    test('with a foreign key to another table than that of the users is reported', async () => {
      await run({ url })
      const { lines, isDone } = await run({ url, tables: { users: 'people' } })
      expect(isDone).toBe(false)
      expect(lines.filter((line) => line.includes('references the table "users"'))).toHaveLength(3)
      expect((await run({ url })).lines).toEqual([UP_TO_DATE])
    })

    test('reports the failed statement, and continues there the next time', async () => {
      await query(
        url,
        `create table verification_tokens (identifier varchar(200) not null, token varchar(200) not null, expires ${date} not null)`,
        'create index verification_tokens_identifier_token on verification_tokens (token)',
      )
      await expect(run({ url, isConfirmed: true })).rejects.toThrow(
        /Could not create index verification_tokens_identifier_token: .+\n\d of \d+ statements were run/,
      )
      const place = name === 'MariaDB' ? ' on verification_tokens' : ''
      await query(url, `drop index verification_tokens_identifier_token${place}`)
      expect((await run({ url, isConfirmed: true })).isDone).toBe(true)
      expect((await run({ url })).lines).toEqual([UP_TO_DATE])
    })
  })

  test.each([
    ['localhost:5432', /The database URL must begin with postgres:, mysql:/],
    ['postgres://postgres@127.0.0.1:1/postgres', /The database does not answer: .*ECONNREFUSED/],
  ])('reports the error in the URL %s', async (url, message) => {
    await expect(run({ url })).rejects.toThrow(message)
  })

  test.each([
    ['PostgreSQL', postgres.url, '"no-such-database"'],
    ['MariaDB', mariadb.url, '`no-such-database`'],
  ])('reports that a database of %s does not exist', async (_name, existing, quoted) => {
    const url = new URL(existing)
    url.pathname = '/no-such-database'
    await expect(run({ url: url.href })).rejects.toThrow(
      `The database "no-such-database" does not exist. Create it: create database ${quoted}`,
    )
  })

  test.each([
    ['PostgreSQL', postgres.url],
    ['MariaDB', mariadb.url],
  ])('reports that %s refused the connection of an unknown user', async (_name, existing) => {
    const url = new URL(existing)
    url.username = 'no_such_user'
    await expect(run({ url: url.href })).rejects.toThrow(
      /^The database refused the connection: .*no_such_user/,
    )
  })

  test('reports both addresses of a host that refuse the connection', async () => {
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
    vi.spyOn(dns, 'lookup').mockImplementation((...given: unknown[]) => {
      const done = given.at(-1)
      if (typeof done === 'function') process.nextTick(done, null, addresses)
    })
    onTestFinished(() => void vi.restoreAllMocks())
    await expect(run({ url: 'postgres://me@two.test:1/app' })).rejects.toThrow(
      /^The database does not answer: .*ECONNREFUSED 127\.0\.0\.1:1,.*ECONNREFUSED 127\.0\.0\.2:1$/,
    )
  })
})
