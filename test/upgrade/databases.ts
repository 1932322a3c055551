/** Databases in this process, whose rows a release freezes as SQL. */
import { randomBytes } from 'node:crypto'
import { Kysely, MysqlDialect, sql, SqliteDialect } from 'kysely'
import type { Dialect } from 'kysely'
import { createPool } from 'mysql2'
import { pgliteDialect } from '../adapters/pglite.ts'
import { SCHEMA, TABLES as REQUIRED } from '../../src/adapters/_schema.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import type { TableOptions } from '../../src/cli/database/create-tables.ts'
import { openSqlite } from '../../src/adapters/sqlite.ts'

/** Those that run in this process. */
export const IN_PROCESS = ['sqlite', 'postgres'] as const
export type FrozenDialect = (typeof IN_PROCESS)[number] | 'mariadb'

export const OPTIONS = { with: ['records', 'factors', 'passwords'] } as const

type Naming = Omit<TableOptions, 'dialect'>

/** In the order of their foreign keys. */
const TABLES = [...REQUIRED, ...OPTIONS.with].map((id) => SCHEMA[id].name)

interface Catalogue {
  readonly columns: (table: string) => string
  /** Quotes a column of a row as a literal. */
  readonly quote: (column: string) => string
  /** Around names. */
  readonly mark: string
  readonly join: (quoted: readonly string[]) => string
}

const joined = (quoted: readonly string[]) => quoted.join(" || ', ' || ")

const CATALOGUES: Readonly<Record<FrozenDialect, Catalogue>> = {
  sqlite: {
    columns: (table) => `select name from pragma_table_info('${table}')`,
    quote: (column) => `quote("${column}")`,
    mark: '"',
    join: joined,
  },
  postgres: {
    columns: (table) =>
      `select attname as name from pg_attribute where attrelid = '"${table}"'::regclass and attnum > 0 order by attnum`,
    quote: (column) => `format('%L', "${column}"::text)`,
    mark: '"',
    join: joined,
  },
  mariadb: {
    columns: (table) =>
      `select column_name as name from information_schema.columns where table_schema = database() and table_name = '${table}' order by ordinal_position`,
    quote: (column) => `quote(\`${column}\`)`,
    mark: '`',
    join: (quoted) => `concat_ws(', ', ${quoted.join(', ')})`,
  },
}

export interface FrozenDatabase {
  readonly db: Kysely<object>
  readonly dialect: FrozenDialect
}

async function rows(db: Kysely<object>, text: string): Promise<{ readonly name: string }[]> {
  return (await sql.raw<{ name: string }>(text).execute(db)).rows
}

const DRIVERS: Readonly<Record<FrozenDialect, (url: string) => Dialect>> = {
  sqlite: () => new SqliteDialect({ database: () => openSqlite(':memory:') }),
  postgres: () => pgliteDialect(),
  mariadb: (uri) => new MysqlDialect({ pool: createPool({ uri, connectionLimit: 1 }) }),
}

/** An empty database; for MariaDB, a new one of the server. */
export async function openDatabase(dialect: FrozenDialect, url = ''): Promise<FrozenDatabase> {
  const db = new Kysely<object>({ dialect: DRIVERS[dialect](url) })
  if (dialect === 'mariadb') {
    const name = `frozen_${randomBytes(6).toString('hex')}`
    for (const text of [`create database ${name}`, `use ${name}`]) await sql.raw(text).execute(db)
  }
  return { dialect, db }
}

/** The statements of a file, each of which ends with a line that ends with a semicolon. */
export function statementsIn(text: string): string[] {
  return text.split(/;\n/).filter((statement) => statement.trim() !== '')
}

export async function runAll({ db }: FrozenDatabase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Statements that insert all rows of each table, with literals that the database has quoted. */
export async function dumpRows({ db, dialect }: FrozenDatabase): Promise<string[]> {
  const catalogue = CATALOGUES[dialect]
  const lines: string[] = []
  for (const table of TABLES) {
    const columns = (await rows(db, catalogue.columns(table))).map(({ name }) => name)
    const marked = (name: string) => `${catalogue.mark}${name}${catalogue.mark}`
    const quoted = catalogue.join(columns.map(catalogue.quote))
    const names = columns.map(marked).join(', ')
    const read = `select ${quoted} as name from ${marked(table)} order by 1`
    const values = (await rows(db, read)).map(({ name }) => `(${name})`)
    if (values.length > 0)
      lines.push(`insert into ${marked(table)} (${names}) values\n${values.join(',\n')}`)
  }
  return lines
}

export function tablesOf(dialect: FrozenDialect, options: Naming = OPTIONS): string[] {
  return createTables({ dialect, ...options }).map(({ statement }) => statement)
}
