import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { migrate } from '../../../src/cli/database/migrate.ts'
import type { MigrateOptions } from '../../../src/cli/database/migrate.ts'
import { withDatabases } from '../../adapters/databases.ts'
import { addTo, clear, query } from './run-migrate.ts'

const PROGRAM = fileURLToPath(new URL('../../../dist/cli/index.js', import.meta.url))
const UP_TO_DATE = 'The database is up to date.'

/** Runs the command, and returns its output. */
async function run(options: MigrateOptions): Promise<string> {
  const lines: string[] = []
  await migrate(
    { isConfirmed: true, ...options },
    {
      print: addTo(lines),
      warn: addTo(lines),
      progress: () => {},
      confirm: async () => null,
    },
  )
  return lines.join('\n')
}

/** Runs the program, and returns its exit code and output. */
async function start(url: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const words = [PROGRAM, 'migrate', '--url', url, '--yes']
    const program = execFile(process.execPath, words, (_error, stdout, stderr) =>
      resolve({ code: program.exitCode, output: stdout + stderr }),
    )
  })
}

await withDatabases(['postgres', 'mariadb'], ({ postgres, mariadb }) => {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-migrate-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  describe('PostgreSQL with tables of the same names in another schema', () => {
    test('gets its own tables, with every index', async () => {
      const { url } = postgres
      await clear(url)
      await query(
        url,
        'create schema auth',
        'create table auth.users (id uuid primary key, email varchar(255) unique)',
        'create table auth.sessions (id uuid primary key, user_id uuid not null)',
        "insert into auth.users values (gen_random_uuid(), 'ada@example.com')",
        'create table public.users (id text primary key, email text)',
      )
      expect(await run({ url })).toContain('create unique index "users_email"')
      const columns = await query(
        url,
        "select column_name from information_schema.columns where table_schema = 'auth'",
      )
      expect(columns).toHaveLength(4)
      expect(await run({ url })).toBe(UP_TO_DATE)
    })

    test('creates them in the schema of --schema, which must exist', async () => {
      const { url } = postgres
      await query(url, 'create schema members')
      expect(await run({ url, schema: 'members' })).toContain('create table "members"."users"')
      expect(await run({ url, schema: 'members' })).toBe(UP_TO_DATE)
      await expect(run({ url, schema: 'nowhere' })).rejects.toThrow(
        'There is no schema "nowhere". Run: create schema "nowhere"',
      )
    })
  })

  describe('MariaDB with tables of the same names in another database', () => {
    test('creates a missing index although the other database has it, and tables in the database of --schema', async () => {
      const { url } = mariadb
      await clear(url)
      await query(
        url,
        'create database lib_auth_other',
        'create table lib_auth_other.users (id varchar(50) primary key, email varchar(200) unique)',
        'create table users (id varchar(50) primary key, email varchar(200))',
      )
      try {
        expect(await run({ url })).toContain('create unique index `users_email`')
        expect(await run({ url })).toBe(UP_TO_DATE)
        const schema = 'lib_auth_other'
        expect(await run({ url, schema })).toContain('create table `lib_auth_other`.`sessions`')
        expect(await run({ url, schema })).toBe(UP_TO_DATE)
        await expect(run({ url, schema: 'nowhere' })).rejects.toThrow(
          'There is no database "nowhere". Run: create database `nowhere`',
        )
      } finally {
        await query(url, 'drop database lib_auth_other')
      }
    })
  })

  test.each([
    { name: 'SQLite', url: `file:${join(folder, 'three.db')}` },
    { name: 'PostgreSQL', url: postgres.url },
    { name: 'MariaDB', url: mariadb.url },
  ])('$name can be migrated by three processes at once', async ({ url }) => {
    await clear(url)
    const all = await Promise.all([start(url), start(url), start(url)])
    expect(all).toEqual(all.map(({ output }) => ({ code: 0, output })))
    expect(await run({ url })).toBe(UP_TO_DATE)
  })
})
