/** Commands about databases in a folder, with an SQLite file. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ownVersion } from '../../../src/cli/own-version.ts'
import { runIn, startIn } from '../program.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lib-auth-command-line-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const pathOf = (name: string) => join(folder, name)
const read = (name: string) => readFileSync(pathOf(name), 'utf8')

/** Runs a command in the folder. */
const lib = (...words: string[]) => runIn(folder, words)
/** Starts the built program in the folder. */
const startProgram = (...words: string[]) => startIn(folder, words)

/** What a database answers. */
function query(statement: string): unknown[] {
  const database = new Database(pathOf('app.db'))
  try {
    return database.prepare(statement).all()
  } finally {
    database.close()
  }
}

const tables = () => query("select name from sqlite_master where type = 'table'")
const MIGRATE = ['migrate', '--url', 'file:app.db']

const OWN = ownVersion().split('.', 2).join('.')

/** What is printed to stderr about an empty database, and about one without optional tables. */
const EMPTY = `schema: incomplete; lib-auth ${OWN} with the options of this command needs 11 statements, additive.\n`
const COMPLETE = `schema: complete for lib-auth ${OWN}; tables records, factors, passwords are missing and not used.\n`
const needs = (statements: number) =>
  `schema: complete for lib-auth 0.1; lib-auth ${OWN} with the options of this command needs ${statements} statements, additive.\n`

describe('migrate', () => {
  test('prints the statements with --dry-run, runs them with --yes, and is then up to date', () => {
    const shown = startProgram(...MIGRATE, '--dry-run')
    expect([shown.status, shown.stderr]).toEqual([0, EMPTY])
    expect(shown.stdout).toContain('create table "users" (')
    expect(tables()).toEqual([])

    const done = startProgram(...MIGRATE, '--yes')
    expect([done.status, done.stderr]).toEqual([0, EMPTY])
    expect(done.stdout).toBe(`${shown.stdout}Ran 11 statements.\n`)
    expect(tables()).toHaveLength(5)

    const again = startProgram(...MIGRATE, '--yes')
    expect([again.status, again.stdout]).toEqual([0, 'The database is up to date.\n'])
    expect(again.stderr).toBe(COMPLETE)
  })

  test('exits with 1 with --check until the database is complete, and changes nothing', async () => {
    const check = [...MIGRATE, '--check', '--yes']
    const empty = await lib(...check)
    expect([empty.status, empty.stderr]).toEqual([1, EMPTY])
    expect(empty.stdout).toBe((await lib(...MIGRATE, '--dry-run')).stdout)
    expect(tables()).toEqual([])
    await lib(...MIGRATE, '--yes')
    expect(await lib(...check)).toEqual({
      status: 0,
      stdout: 'The database is up to date.\n',
      stderr: COMPLETE,
    })
    const withRecords = await lib(...check, '--with', 'records')
    expect([withRecords.status, withRecords.stderr]).toEqual([1, needs(3)])
    expect(tables()).toHaveLength(5)
  })

  test('exits with 1 with --check if only the user can complete the database', async () => {
    await lib(...MIGRATE, '--yes')
    const { status, stderr } = await lib(...MIGRATE, '--check', '--ids', 'integer')
    expect(status).toBe(1)
    expect(stderr).toMatch(/needs 1 change that you make yourself\.\n$/)
  })

  test('uses DATABASE_URL of the environment or a .env file without --url', async () => {
    writeFileSync(pathOf('.env'), 'DATABASE_URL=file:app.db')
    const { status, stderr } = await lib('migrate', '--yes')
    expect([status, stderr]).toEqual([0, `Using DATABASE_URL.\n${EMPTY}`])
    expect(tables()).toHaveLength(5)
  })

  test('runs nothing without a terminal and --yes', async () => {
    const { status, stdout, stderr } = await lib(...MIGRATE)
    expect(status).toBe(2)
    expect(stdout).toContain('create table "users" (')
    expect(stderr).toMatch(
      /needs 11 statements, additive\.\nNo statement was run: there is no terminal to ask for confirmation\. Use --yes to run these statements, or --dry-run/,
    )
    expect(tables()).toEqual([])
  })

  test('reports changes that would destroy data, and exits with 1', async () => {
    query('create table sessions ("sessionToken" text)')
    query("insert into sessions values ('kept') returning *")
    const { status, stderr } = await lib(...MIGRATE, '--yes')
    expect(status).toBe(1)
    expect(stderr).toContain('! The table "sessions" has rows, but no column "userId"')
    expect(query('select * from sessions')).toEqual([{ sessionToken: 'kept' }])
  })

  test('creates tables with names of the application', async () => {
    const names = ['--table', 'users=people', '--column', 'users.emailVerified=verified at']
    expect((await lib(...MIGRATE, '--yes', '--ids', 'integer', ...names)).status).toBe(0)
    expect(query('select id, "verified at" from people')).toEqual([])
    const again = await lib(...MIGRATE, '--yes', '--ids', 'integer', ...names)
    expect(again.stdout).toBe('The database is up to date.\n')
    expect((await lib(...MIGRATE, '--yes', '--ids', 'uuid', ...names)).stderr).toContain(
      '--ids integer',
    )
  })

  test('creates the optional table only with --with records', async () => {
    await lib(...MIGRATE, '--yes')
    expect((await lib(...MIGRATE, '--yes')).stdout).toBe('The database is up to date.\n')
    const done = await lib(...MIGRATE, '--yes', '--with', 'records', '--with', 'records')
    expect([done.status, done.stderr]).toEqual([0, needs(3)])
    expect(done.stdout).toContain('create table "records" (')
    expect(done.stdout).toContain('Ran 3 statements.')
    expect(tables()).toHaveLength(6)
    expect((await lib(...MIGRATE, '--yes', '--with', 'records')).stdout).toBe(
      'The database is up to date.\n',
    )
    const { status, stderr } = await lib(...MIGRATE, '--with', 'record')
    expect(status).toBe(2)
    expect(stderr).toContain('--with is "record"; it must be one of: records, factors, passwords.')
  })

  test.each([
    ['repeated', ['--with', 'factors', '--with', 'passwords']],
    ['with commas', ['--with', 'factors,passwords']],
  ])('adds several optional tables to existing ones: %s', async (_name, chosen) => {
    await lib(...MIGRATE, '--yes')
    const before = tables()
    const done = await lib(...MIGRATE, '--yes', ...chosen)
    expect([done.status, done.stderr]).toEqual([0, needs(3)])
    expect(done.stdout).not.toMatch(/alter table|"(?:accounts|sessions)"/)
    expect(done.stdout).toContain('Ran 3 statements.')
    expect(tables()).toEqual([...before, { name: 'factors' }, { name: 'passwords' }])
    expect((await lib(...MIGRATE, '--yes', ...chosen)).stdout).toBe('The database is up to date.\n')
    expect((await lib(...MIGRATE, '--yes')).stdout).toBe('The database is up to date.\n')
  })

  test('keeps another table of the application with the name of an optional one', async () => {
    await lib(...MIGRATE, '--yes')
    query(
      'create table passwords (id integer primary key, site text not null, secret text not null)',
    )
    query("insert into passwords values (1, 'example.com', 'theirs') returning *")
    const refused = await lib(...MIGRATE, '--yes', '--with', 'passwords')
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain('choose a name with --table passwords=<name>')
    const renamed = ['--with', 'passwords', '--table', 'passwords=login_passwords']
    expect((await lib(...MIGRATE, '--yes', ...renamed)).status).toBe(0)
    expect(query('select * from passwords')).toHaveLength(1)
    expect(query('select "userId", hash, changed from login_passwords')).toEqual([])
  })

  test('reports a foreign key to a users table of another name', async () => {
    expect((await lib(...MIGRATE, '--yes')).status).toBe(0)
    const renamed = [...MIGRATE, '--yes', '--table', 'users=people']
    expect((await lib(...renamed)).status).toBe(1)
    const { status, stdout, stderr } = await lib(...renamed)
    expect([status, stdout]).toEqual([1, ''])
    const lines = stderr.trim().split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[3]).toMatch(/^schema: .* needs 3 changes that you make yourself\.$/)
    expect(lines[0]).toBe(
      '! The column "userId" of the table "accounts" references the table "users", so no row of a user in "people" could be inserted. Drop this foreign key, or store users in "users": --table users=users',
    )
  })

  test('reports ids of another type', async () => {
    expect((await lib(...MIGRATE, '--yes', '--ids', 'uuid')).status).toBe(0)
    const { status, stdout, stderr } = await lib(...MIGRATE, '--yes', '--ids', 'integer')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^! The table "users" has ids of type TEXT\. Remove: --ids integer\n/)
  })

  test('reports in one line that a file is not a database', async () => {
    writeFileSync(pathOf('app.db'), 'This is plain text.')
    const { status, stdout, stderr } = await lib(...MIGRATE, '--yes')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^The database reported an error: .*not a database.*\n$/)
    expect(read('app.db')).toBe('This is plain text.')
  })

  test('rejects --schema for SQLite', async () => {
    const { status, stdout, stderr } = await lib(...MIGRATE, '--yes', '--schema', 'auth')
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^SQLite has no schemas: remove --schema\.\n/)
    expect(tables()).toEqual([])
    const words = ['schema', '--adapter', 'kysely', '--dialect', 'sqlite', '--schema', 'auth']
    expect((await lib(...words)).status).toBe(2)
  })

  test('allows duplicate addresses with --no-unique-email', async () => {
    expect((await lib(...MIGRATE, '--yes', '--no-unique-email')).status).toBe(0)
    const add = "insert into users (id, email) values (?, 'ada@example.com') returning id"
    expect(query(add.replace('?', "'1'"))).toEqual([{ id: '1' }])
    expect(query(add.replace('?', "'2'"))).toEqual([{ id: '2' }])
    const again = await lib(...MIGRATE, '--no-unique-email')
    expect(again.stdout).toBe('The database is up to date.\n')
  })

  test('reports in one line that a database does not answer, without the password', () => {
    const { status, stdout, stderr } = startProgram(
      'migrate',
      '--url',
      'postgres://me:hunter2@127.0.0.1:1/a',
    )
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^The database does not answer: .*ECONNREFUSED.*\n$/)
    expect(stderr).not.toContain('hunter2')
  })

  test.each([
    ['mysql://me:hunt%er2@localhost/a', /^The database URL is not valid\. .*%25.*\n$/],
    ['postgres://me:hunt#er2@localhost/a', /^The database URL is not valid\. .*%23.*\n$/],
    ['mysql://me:hunter2@localhost:99999/a', /^The .+\n$/],
    ['file:/nonexistent/folder/a.db', /^The file cannot be opened: .+\n$/],
  ])('reports in one line that %s is not usable, without the password', async (url, message) => {
    const { status, stdout, stderr } = await lib('migrate', '--url', url)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain('hunt')
  })
})

test.each(['foo', 'foo://me:hunter2@localhost/a', 'http://localhost/a', 'app.db', ' file:app.db'])(
  'migrate --url %j ends with 2 and names the schemes, without the password',
  async (url) => {
    const { status, stdout, stderr } = await lib('migrate', '--url', url, '--yes')
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(
      'The database URL must begin with postgres:, mysql:, mariadb:, file: or sqlite:',
    )
    expect(stderr).not.toContain('hunter2')
  },
)

test('migrate --help names each scheme that --url accepts, and sqlite: is accepted', async () => {
  const { status, stdout } = await lib('migrate', '--help')
  expect(status).toBe(0)
  expect(stdout).toContain('postgres:, mysql:, mariadb:, file: or sqlite:')
  expect((await lib('migrate', '--url', 'sqlite:app.db', '--yes')).status).toBe(0)
  expect(tables()).toHaveLength(5)
})

describe('schema', () => {
  test('prints statements that create the tables', async () => {
    const { status, stdout, stderr } = await lib(
      'schema',
      '--adapter',
      'kysely',
      '--dialect',
      'sqlite',
    )
    expect([status, stderr]).toEqual([0, ''])
    const database = new Database(pathOf('app.db'))
    database.exec(stdout)
    database.close()
    expect((await lib(...MIGRATE)).stdout).toBe('The database is up to date.\n')
  })

  test.each([
    ['kysely', [], /^create table "users" \(\n {2}"id" text not null,/],
    ['kysely', ['--schema', 'auth'], /^create table "auth"\."users" \(/],
    ['kysely', ['--dialect', 'mysql'], /^create table `users` \(\n[^;]*utf8mb4_0900_bin/],
    ['kysely', ['--dialect', 'mariadb'], /`id_token` mediumtext/],
    ['drizzle', [], /^import \{.* pgTable.* \} from 'drizzle-orm\/pg-core'\n/],
    ['drizzle', ['--dialect', 'mariadb'], /^import \{.* mysqlTable.* \} from/],
    ['drizzle', ['--columns', 'snake_case'], /emailVerified: timestamp\('email_verified'/],
    ['drizzle', ['--table', "users=it's\\"], /pgTable\(\n {2}'it\\'s\\\\',\n/],
    ['prisma', [], /^model User \{\n {2}id String @id @default\(uuid\(\)\)\n/],
    ['prisma', ['--dialect', 'mysql'], /^model User \{\n {2}id String .*@db\.VarChar\(255\)\n/],
  ])('prints the tables for %s with %j', async (adapter, more, expected) => {
    const { status, stdout, stderr } = await lib('schema', '--adapter', adapter, ...more)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(expected)
  })

  test.each([
    [
      'kysely',
      ['create table "records" (', 'create table "factors" (', 'create table "passwords" ('],
    ],
    ['drizzle', ["'records',", "'factors',", "'passwords',"]],
    ['prisma', ['model Record {', 'model Factor {', 'model Password {']],
  ])('prints an optional table for %s only with --with', async (adapter, starts) => {
    const words = ['schema', '--adapter', adapter]
    const names = ['records', 'factors', 'passwords']
    for (const [at, name] of names.entries()) {
      const { status, stdout } = await lib(...words, '--with', name)
      expect(status).toBe(0)
      for (const [other, start] of starts.entries())
        expect(stdout.split(start)).toHaveLength(at === other ? 2 : 1)
    }
    for (const start of starts) expect((await lib(...words)).stdout).not.toContain(start)
    for (const start of starts)
      expect((await lib(...words, '--with', names.join())).stdout).toContain(start)
  })

  test('writes a new file, and keeps an existing one', async () => {
    const words = ['schema', '--adapter', 'prisma', '--out', 'schema.prisma']
    expect((await lib(...words)).stdout).toBe('Wrote schema.prisma.\n')
    expect(read('schema.prisma')).toContain('model User {')
    writeFileSync(pathOf('schema.prisma'), 'mine')
    const { status, stderr } = await lib(...words)
    expect([status, stderr]).toEqual([1, 'schema.prisma exists already and was not changed.\n'])
    expect(read('schema.prisma')).toBe('mine')
  })
})

test('an unknown option changes nothing', () => {
  const { status, stdout, stderr } = startProgram('migrate', '--url', 'file:app.db', '--force')
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^migrate has no option --force\.[^]*Usage: lib-auth migrate \[options\]/)
  expect(readdirSync(folder)).toEqual([])
})
