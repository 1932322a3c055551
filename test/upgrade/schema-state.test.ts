/** `migrate` and `doctor` name the release that each frozen database is complete for, also with other names. */
import { readdirSync, readFileSync } from 'node:fs'
import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { SCHEMA } from '../../src/adapters/_schema.ts'
import type { OptionalTable, SchemaNames } from '../../src/adapters/_schema.ts'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { planFor } from '../../src/cli/database/plan.ts'
import { describeState } from '../../src/cli/database/schema-state.ts'
import { createContext } from '../../src/cli/doctor/context.ts'
import { checkSchema } from '../../src/cli/doctor/schema.ts'
import { ownVersion } from '../../src/cli/own-version.ts'
import { IN_PROCESS, openDatabase, OPTIONS, runAll, statementsIn } from './databases.ts'
import type { FrozenDatabase } from './databases.ts'
import { readFrozen } from './frozen.ts'

const here = new URL('./', import.meta.url)
const OWN = ownVersion().split('.', 2).join('.')
const UNUSED = '; tables records, factors, passwords are missing and not used'

const opened: FrozenDatabase[] = []
afterEach(async () => {
  for (const { db } of opened.splice(0)) await db.destroy()
})

type Dialect = (typeof IN_PROCESS)[number]

async function open(dialect: Dialect, statements: readonly string[]): Promise<FrozenDatabase> {
  const database = await openDatabase(dialect)
  opened.push(database)
  await runAll(database, statements)
  return database
}

interface Given extends SchemaNames {
  readonly with?: readonly OptionalTable[]
}

/** What `migrate` prints. */
async function state(database: FrozenDatabase, options: Given = {}): Promise<string> {
  const given = { dialect: database.dialect, ...options }
  return describeState(await planFor(database, given), given, 'command')
}

/** What `doctor` prints, with the adapter of an application. */
async function examine({ db }: FrozenDatabase, options: Given = {}): Promise<string[]> {
  const loading = { level: 'ok', about: 'configuration', what: '' } as const
  const order = { folder: '.', module: undefined, url: undefined, files: [], sources: {} }
  const context = createContext(order, { given: undefined, announced: undefined, loading })
  const lines: string[] = []
  const findings = checkSchema(context, KyselyAdapter(db, options))
  for await (const { level, about, what, write = '' } of findings)
    lines.push(`${level} ${about}: ${what} ${write}`.trimEnd())
  return lines
}

const needs = (statements: string, place: string) =>
  `; lib-auth ${OWN} with the options of this ${place} needs ${statements}, additive`
const command = (options = '') => ` Print it: npx lib-auth migrate --dry-run${options}`

/** The tables that the release added to those of next-auth 5, in its own words. */
const WITHOUT_PASSKEY_NAMES = ['name', 'lastUsed', 'created'].map(
  (column) => `alter table authenticators drop column "${column}"`,
)
const WITHOUT_OPTIONAL = OPTIONS.with.map((table) => `drop table ${table}`)
const INDEXES = [
  'accounts_userId',
  'sessions_userId',
  'sessions_expires',
  'verification_tokens_expires',
  'authenticators_userId',
]
const WITHOUT_INDEXES = INDEXES.map((name) => `drop index "${name}"`)

function ofRelease(version: string, dialect: Dialect): string[] {
  const file = new URL(`${version}/database/rows.${dialect}.sql`, here)
  return statementsIn(readFileSync(file, 'utf8'))
}

/** Frozen with the tables of this library, so what next-auth 5 lacks is dropped. */
async function openNextAuth(
  dialect: Dialect,
  more: readonly string[] = [],
): Promise<FrozenDatabase> {
  const { tables, cases } = readFrozen(new URL('next-auth-5/', here))
  const rows = cases['session in a database']?.rows ?? []
  const ofDialect =
    dialect === 'sqlite'
      ? [...tables, ...rows]
      : createTables({ dialect, ...OPTIONS }).map(({ statement }) => statement)
  return open(dialect, [
    ...ofDialect,
    ...WITHOUT_OPTIONAL,
    ...WITHOUT_INDEXES,
    ...WITHOUT_PASSKEY_NAMES,
    ...more,
  ])
}

const releases = readdirSync(here).filter((name) => /^\d/.test(name))

describe.each(IN_PROCESS)('%s', (dialect) => {
  test.each(releases)('the database of %s is complete for it', async (version) => {
    const database = await open(dialect, ofRelease(version, dialect))
    const [release = ''] = /^\d+\.\d+/.exec(version) ?? []
    for (const line of [await state(database), ...(await examine(database, OPTIONS))])
      expect(line).toMatch(new RegExp(`complete for lib-auth ${release}(?![\\d.]*\\d)`))
    expect(release === OWN ? await state(database, OPTIONS) : '').not.toContain('needs')
  })

  test('the database of next-auth 5 is complete for it', async () => {
    const database = await openNextAuth(dialect)
    expect(await state(database)).toBe(
      `complete for next-auth 5${needs('8 statements', 'command')}`,
    )
    expect(await examine(database)).toEqual([
      `warning schema: complete for next-auth 5${needs('8 statements', 'configuration')}.${command()}`,
    ])
    expect(await examine(database, { with: ['records'] })).toEqual([
      `warning schema: complete for next-auth 5${needs('11 statements', 'configuration')}.${command(' --with records')}`,
    ])
  })

  test('with names of the application', async () => {
    const names = {
      tables: { users: 'people', verificationTokens: 'VerificationToken', passwords: 'hashes' },
      columns: 'snake_case',
    } as const
    const create = (names_: SchemaNames) =>
      createTables({ dialect, ...names_ }).map(({ statement }) => statement)
    const database = await open(dialect, create(names))
    const complete = `complete for lib-auth ${OWN}; tables records, factors, hashes are missing and not used`
    expect(await state(database, names)).toBe(complete)
    expect(await examine(database, names)).toEqual([`ok schema: ${complete}.`])
    await runAll(database, ['alter table authenticators drop column last_used'])
    expect(await state(database, names)).toBe(
      `complete for next-auth 5${needs('1 statement', 'command')}`,
    )
    expect(await examine(database, names)).toEqual([
      `warning schema: complete for next-auth 5${needs('1 statement', 'configuration')}.${command(', with the options for the names of your tables')}`,
    ])
    // Without the names, the tables are not found.
    expect(await state(database)).toMatch(/^incomplete; /)
  })
})

describe('in SQLite', () => {
  const dialect = 'sqlite'

  test('a database without passkeys is complete for next-auth 5', async () => {
    const database = await openNextAuth(dialect, ['drop table authenticators'])
    expect(await state(database)).toMatch(/^complete for next-auth 5; .* needs 6 statements/)
  })

  test('a database with what this release added, but without an index, is complete for the one before', async () => {
    const database = await open(dialect, [
      ...createTables({ dialect }).map(({ statement }) => statement),
      'drop index "sessions_expires"',
    ])
    expect(await state(database)).toBe(`complete for next-auth 5${needs('1 statement', 'command')}`)
  })

  test('optional tables are named until they exist or are used', async () => {
    const tables = (names: readonly OptionalTable[]) =>
      createTables({ dialect, with: names }).map(({ statement }) => statement)
    const database = await open(dialect, tables([]))
    expect(await state(database)).toBe(`complete for lib-auth ${OWN}${UNUSED}`)
    expect(await examine(database)).toEqual([`ok schema: complete for lib-auth ${OWN}${UNUSED}.`])
    expect(await state(database, { with: ['factors'] })).toBe(
      `complete for lib-auth 0.1${needs('2 statements', 'command')}`,
    )
    const other = await open(dialect, tables(['records', 'factors']))
    expect(await state(other, { with: ['records'] })).toBe(
      `complete for lib-auth ${OWN}; table passwords is missing and not used`,
    )
  })

  test('an empty database is incomplete, and one that lacks a column of next-auth 5', async () => {
    expect(await state(await open(dialect, []))).toBe(
      `incomplete${needs('11 statements', 'command')}`,
    )
    const database = await openNextAuth(dialect, ['alter table users drop column image'])
    expect(await state(database)).toMatch(/^incomplete; .* needs 9 statements, additive$/)
  })

  test('changes that only the user can make are counted', async () => {
    const tables = createTables({ dialect }).map(({ statement }) => statement)
    const column = 'alter table accounts add column plan text not null default 1'
    const required = 'create table passwords (id integer primary key, site text not null)'
    const database = await open(dialect, [...tables, column, required])
    expect(await state(database)).toBe(
      `complete for lib-auth ${OWN}; tables records, factors are missing and not used`,
    )
    expect(await state(database, { with: ['passwords', 'records'] })).toBe(
      `incomplete${needs('3 statements', 'command')}, and 1 change that you make yourself`,
    )
  })
})

test('the adapter of another library, and a database that does not answer', async () => {
  const loading = { level: 'ok', about: 'configuration', what: '' } as const
  const order = { folder: '.', module: undefined, url: undefined, files: [], sources: {} }
  const context = createContext(order, { given: undefined, announced: undefined, loading })
  expect((await checkSchema(context, {}).next()).done).toBe(true)
  const pool = new Pool({ connectionString: 'postgres://127.0.0.1:1/none' })
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
  expect(await examine({ db, dialect: 'postgres' })).toEqual([
    expect.stringMatching(/^warning schema: the database cannot be inspected: .* Run the command/),
  ])
})

test('what a release adds has its name', () => {
  const parts = Object.values(SCHEMA).flatMap((table) => [table, Object.values(table.columns)])
  const named = new Set(parts.flat().flatMap(({ since = [] }) => since))
  for (const each of named) expect(each).toMatch(/^\d+\.\d+$/)
  expect([...named]).toContain('0.1')
})
