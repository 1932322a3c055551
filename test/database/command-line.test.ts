/** The program as it is run in a project, with a database in a file. */
import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('../../dist/cli/index.js', import.meta.url))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lib-auth-command-line-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const pathOf = (name: string) => join(folder, name)
const read = (name: string) => readFileSync(pathOf(name), 'utf8')

/** Runs the program in the folder. */
function lib(...words: string[]) {
  return spawnSync(process.execPath, [PROGRAM, ...words], { cwd: folder, encoding: 'utf8' })
}

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

describe('migrate', () => {
  test('shows what it would do, and does it once it is agreed to; then there is nothing to do', () => {
    const shown = lib(...MIGRATE, '--dry-run')
    expect([shown.status, shown.stderr]).toEqual([0, ''])
    expect(shown.stdout).toContain('create table "users" (')
    expect(tables()).toEqual([])

    const done = lib(...MIGRATE, '--yes')
    expect([done.status, done.stderr]).toEqual([0, ''])
    expect(done.stdout).toBe(`${shown.stdout}Done: 11 statements.\n`)
    expect(tables()).toHaveLength(5)

    const again = lib(...MIGRATE, '--yes')
    expect([again.status, again.stdout]).toEqual([0, 'Everything is there. Nothing to do.\n'])
  })

  test('does nothing where nobody can answer, and says how to agree', () => {
    const { status, stdout, stderr } = lib(...MIGRATE)
    expect(status).toBe(2)
    expect(stdout).toContain('create table "users" (')
    expect(stderr).toMatch(/^Nobody is there to answer\. Add --yes/)
    expect(tables()).toEqual([])
  })

  test('leaves alone what it would have to destroy, says so, and ends with an error', () => {
    query('create table sessions ("sessionToken" text)')
    query("insert into sessions values ('kept') returning *")
    const { status, stderr } = lib(...MIGRATE, '--yes')
    expect(status).toBe(1)
    expect(stderr).toContain('! The table "sessions" has rows, and no column "userId"')
    expect(query('select * from sessions')).toEqual([{ sessionToken: 'kept' }])
  })

  test('makes tables with names of the application', () => {
    const names = ['--table', 'users=people', '--column', 'users.emailVerified=verified at']
    expect(lib(...MIGRATE, '--yes', '--ids', 'integer', ...names).status).toBe(0)
    expect(query('select id, "verified at" from people')).toEqual([])
    const again = lib(...MIGRATE, '--yes', '--ids', 'integer', ...names)
    expect(again.stdout).toBe('Everything is there. Nothing to do.\n')
    expect(lib(...MIGRATE, '--yes', '--ids', 'uuid', ...names).stderr).toContain('--ids integer')
  })

  test('says that ids which are texts are not counted', () => {
    expect(lib(...MIGRATE, '--yes', '--ids', 'uuid').status).toBe(0)
    const { status, stdout, stderr } = lib(...MIGRATE, '--yes', '--ids', 'integer')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toBe('! The table "users" has ids of the type TEXT. Leave out: --ids integer\n')
  })

  test('says in one line that a file is no database', () => {
    writeFileSync(pathOf('app.db'), 'Dear diary, today I met somebody.')
    const { status, stdout, stderr } = lib(...MIGRATE, '--yes')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^The database did not do what was asked of it: .*not a database.*\n$/)
    expect(read('app.db')).toBe('Dear diary, today I met somebody.')
  })

  test('knows no schemas where there are none', () => {
    const { status, stdout, stderr } = lib(...MIGRATE, '--yes', '--schema', 'auth')
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^SQLite has no schemas: leave out --schema\.\n/)
    expect(tables()).toEqual([])
    const words = ['schema', '--adapter', 'kysely', '--dialect', 'sqlite', '--schema', 'auth']
    expect(lib(...words).status).toBe(2)
  })

  test('lets several users have the same address where that is wanted', () => {
    expect(lib(...MIGRATE, '--yes', '--no-unique-email').status).toBe(0)
    const add = "insert into users (id, email) values (?, 'ada@example.com') returning id"
    expect(query(add.replace('?', "'1'"))).toEqual([{ id: '1' }])
    expect(query(add.replace('?', "'2'"))).toEqual([{ id: '2' }])
    const again = lib(...MIGRATE, '--no-unique-email')
    expect(again.stdout).toBe('Everything is there. Nothing to do.\n')
  })

  test('says in one line that a database does not answer, and nothing of the password', () => {
    const { status, stdout, stderr } = lib(
      'migrate',
      '--url',
      'postgres://me:hunter2@127.0.0.1:1/a',
    )
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^The database does not answer: .*ECONNREFUSED.*\n$/)
    expect(stderr).not.toContain('hunter2')
  })

  test.each([
    ['mysql://me:hunt%er2@localhost/a', /^The --url cannot be read\. .*%25.*\n$/],
    ['postgres://me:hunt#er2@localhost/a', /^The --url cannot be read\. .*%23.*\n$/],
    ['mysql://me:hunter2@localhost:99999/a', /^The .+\n$/],
    ['file:/nonexistent/folder/a.db', /^The database does not answer: .+\n$/],
  ])('says in one line that %s leads nowhere, and shows no password', (url, message) => {
    const { status, stdout, stderr } = lib('migrate', '--url', url)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain('hunt')
  })
})

describe('schema', () => {
  test('prints statements that make the tables', () => {
    const { status, stdout, stderr } = lib('schema', '--adapter', 'kysely', '--dialect', 'sqlite')
    expect([status, stderr]).toEqual([0, ''])
    const database = new Database(pathOf('app.db'))
    database.exec(stdout)
    database.close()
    expect(lib(...MIGRATE).stdout).toBe('Everything is there. Nothing to do.\n')
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
  ])('of %s with %j is what that takes', (adapter, more, expected) => {
    const { status, stdout, stderr } = lib('schema', '--adapter', adapter, ...more)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(expected)
  })

  test('is written to a file, but not over one', () => {
    const words = ['schema', '--adapter', 'prisma', '--out', 'schema.prisma']
    expect(lib(...words).stdout).toBe('schema.prisma was written.\n')
    expect(read('schema.prisma')).toContain('model User {')
    writeFileSync(pathOf('schema.prisma'), 'mine')
    const { status, stderr } = lib(...words)
    expect([status, stderr]).toEqual([1, 'schema.prisma is there already, and was not changed.\n'])
    expect(read('schema.prisma')).toBe('mine')
  })
})

describe('secret', () => {
  const SECRET = /^AUTH_SECRET="[\w-]{43}"\n$/

  test('is written for this machine alone, and a new one each time', () => {
    const { status, stdout } = lib('secret')
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /^A new AUTH_SECRET was written to \.env\.local\.\nAdd .* to \.gitignore/,
    )
    const first = read('.env.local')
    expect(first).toMatch(SECRET)
    expect(statSync(pathOf('.env.local')).mode & 0o777).toBe(0o600)
    rmSync(pathOf('.env.local'))
    lib('secret')
    expect(read('.env.local')).not.toBe(first)
  })

  test('stays when there is one: nobody is signed out', () => {
    writeFileSync(pathOf('.env.local'), 'AUTH_SECRET=mine')
    const { status, stdout } = lib('secret')
    expect(status).toBe(0)
    expect(stdout).toMatch(/nothing was changed.*\n.*4 bytes and can be guessed: replace it with/)
    expect(read('.env.local')).toBe('AUTH_SECRET=mine')
  })

  test('stays when there is one in .env: one in .env.local would win over it', () => {
    writeFileSync(pathOf('.env'), `AUTH_SECRET="${'x'.repeat(32)}" # mine`)
    const { status, stdout } = lib('secret')
    expect(status).toBe(0)
    expect(stdout).toMatch(/\.env has .* nothing was changed\.\n.*set AUTH_SECRET_1 to a new one/)
    expect(readdirSync(folder)).toEqual(['.env'])
  })

  test.each(['AUTH_SECRET= # openssl rand -base64 32', 'AUTH_SECRET=""', 'AUTH_SECRET=\r'])(
    'is added where a template has left it to be filled in: %j',
    (line) => {
      writeFileSync(pathOf('.env.local'), `${line}\nOTHER=1\n`)
      expect(lib('secret').status).toBe(0)
      const [first, other, ...rest] = read('.env.local').split('\n')
      expect([first, other]).toEqual([line, 'OTHER=1'])
      expect(rest.join('\n')).toMatch(SECRET)
    },
  )

  test('is not written where that cannot be, which is said in one line', () => {
    mkdirSync(pathOf('.env.local'))
    const { status, stdout, stderr } = lib('secret')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^\.env\.local was not changed: EISDIR.*\n$/)
  })

  test('is added to what is there, and Git is not mentioned where it leaves the file alone', () => {
    writeFileSync(pathOf('.env.local'), 'OTHER=1\n# AUTH_SECRET=old')
    writeFileSync(pathOf('.gitignore'), 'node_modules\n.env*.local\n')
    expect(lib('secret').stdout).toBe('A new AUTH_SECRET was written to .env.local.\n')
    const [other, comment, ...rest] = read('.env.local').split('\n')
    expect([other, comment]).toEqual(['OTHER=1', '# AUTH_SECRET=old'])
    expect(rest.join('\n')).toMatch(SECRET)
  })
})

test('what is not understood changes nothing', () => {
  const { status, stdout, stderr } = lib('migrate', '--url', 'file:app.db', '--force')
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^Unknown option '--force'[^]*Usage: lib-auth migrate --url/)
  expect(readdirSync(folder)).toEqual([])
})
