/** Duplicate rows prevent a migration before anything is changed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createTables } from '../../../src/cli/database/create-tables.ts'
import { migrate } from '../../../src/cli/database/migrate.ts'
import { withDatabases } from '../../adapters/databases.ts'
import { addTo, clear, UP_TO_DATE, query, run } from './run-migrate.ts'

await withDatabases(['postgres', 'mariadb'], ({ postgres, mariadb }) => {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-duplicates-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  let number = 0
  const DATABASES = [
    { name: 'SQLite', dialect: 'sqlite', urlOf: () => `file:${join(folder, `${++number}.db`)}` },
    { name: 'PostgreSQL', dialect: 'postgres', urlOf: () => postgres.url },
    { name: 'MariaDB', dialect: 'mariadb', urlOf: () => mariadb.url },
  ] as const

  describe.each(DATABASES)('a database of $name', ({ dialect, urlOf }) => {
    let url = ''
    beforeEach(async () => {
      url = urlOf()
      await clear(url)
    })

    const USERS = [
      'create table users (id varchar(36) primary key, email varchar(200))',
      `insert into users (id, email) values ('1', 'ada@example.com'), ('2', 'ada@example.com'),
        ('3', 'ada@example.com'), ('4', 'eve@example.com'), ('5', 'eve@example.com'),
        ('6', 'bob@example.com'), ('7', null), ('8', null)`,
    ]

    test('with duplicate addresses of users is not changed, and the advice is printed', async () => {
      await query(url, ...USERS)
      const { isDone, lines } = await run({ url })
      expect(isDone).toBe(false)
      expect(lines).toEqual([
        expect.stringMatching(
          /^! 5 rows of the table "users" have the same "email" as another row \(different values: 2\).+nothing is changed.+ add: --no-unique-email$/,
        ),
      ])
      expect(lines.join()).not.toContain('@example.com')
      await expect(query(url, 'select * from accounts')).rejects.toThrow()
      expect(Object.keys((await query(url, 'select * from users'))[0] ?? {})).toEqual([
        'id',
        'email',
      ])
      expect((await run({ url, isDryRun: true })).lines).toEqual(lines)

      const [, list = ''] = /run: (select .+?);/.exec(lines.join()) ?? []
      const shared = await query(url, `${list} order by email`)
      expect(shared.map((row) => Object.values(row ?? {}).map(String))).toEqual([
        ['ada@example.com', '3'],
        ['eve@example.com', '2'],
      ])
    })

    test('gets all other indexes with --no-unique-email', async () => {
      await query(url, ...USERS)
      expect(await run({ url, uniqueEmail: false })).toMatchObject({ isDone: true })
      expect(await query(url, 'select * from users')).toHaveLength(8)
      const again = await run({ url, uniqueEmail: false })
      expect(again.lines).toEqual([UP_TO_DATE])
    })

    test('gets all indexes once the duplicates are deleted; null is not a duplicate', async () => {
      await query(url, ...USERS)
      await run({ url })
      await query(url, "delete from users where id in ('2', '3', '5')")
      expect(await run({ url })).toMatchObject({ isDone: true })
      expect(await query(url, 'select * from users where email is null')).toHaveLength(2)
      const twice = query(url, "insert into users (id, email) values ('9', 'ada@example.com')")
      await expect(twice).rejects.toThrow()
    })

    test('with duplicate accounts, sessions or passkeys is not changed', async () => {
      const tables = createTables({ dialect, columns: 'snake_case' })
      for (const { title, statement } of tables)
        if (title.startsWith('create table '))
          await query(
            url,
            title === 'create table users'
              ? statement
              : statement.replace(/,\n {2}primary key \([^)]*\)/, ''),
          )
      const both = (row: string) => `values (${row}), (${row})`
      await query(
        url,
        "insert into users (id) values ('1')",
        `insert into accounts (provider, provider_account_id, user_id, type) ${both("'op', 'ada', '1', 'oidc'")}`,
        `insert into sessions (session_token, user_id, expires) ${both("'token', '1', '2030-01-01'")}`,
        `insert into authenticators (credential_id, user_id, provider_account_id, credential_public_key, counter,
           credential_device_type, credential_backed_up) ${both("'key', '1', 'key', 'x', 0, 'x', false")}`,
      )
      const { isDone, lines } = await run({ url, columns: 'snake_case' })
      expect(isDone).toBe(false)
      expect(lines.map((line) => /"(\w+)" have the same (.+?) as/.exec(line)?.slice(1))).toEqual([
        ['accounts', '"provider" and "provider_account_id"'],
        ['sessions', '"session_token"'],
        ['authenticators', '"credential_id"'],
      ])
      expect(lines.join()).not.toContain('--no-unique-email')
      for (const table of ['accounts', 'sessions', 'authenticators'])
        expect(await query(url, `select * from ${table}`)).toHaveLength(2)
    })

    test('with null in a unique column gets the index', async () => {
      await query(
        url,
        'create table verification_tokens (identifier varchar(200), token varchar(200), expires timestamp null)',
        "insert into verification_tokens (identifier) values ('ada'), ('ada'), (null), (null)",
        ...(dialect === 'postgres'
          ? ['alter table verification_tokens alter expires type timestamptz(3)']
          : []),
      )
      const { isDone, lines } = await run({ url })
      expect(lines.join()).toContain('verification_tokens_identifier_token')
      expect(isDone).toBe(true)
    })

    test('with a duplicate that is inserted during the question is not changed', async () => {
      await query(url, USERS[0] ?? '')
      const lines: string[] = []
      const isDone = await migrate(
        { url },
        {
          print: () => {},
          warn: addTo(lines),
          progress: addTo(lines),
          async confirm() {
            await query(url, USERS[1] ?? '')
            return true
          },
        },
      )
      expect(isDone).toBe(false)
      expect(lines).toEqual([expect.stringContaining('5 rows of the table "users"')])
      await expect(query(url, 'select * from accounts')).rejects.toThrow()
    })
  })
})
