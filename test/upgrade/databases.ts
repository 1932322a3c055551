/** Databases in this process, whose rows a release freezes as SQL. */
import { PGlite } from '@electric-sql/pglite'
import { CompiledQuery, Kysely, sql, SqliteDialect } from 'kysely'
import { dialectOver } from '../adapters/pglite.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { openSqlite } from './site.ts'

const DIALECTS = ['sqlite', 'postgres'] as const
export type FrozenDialect = (typeof DIALECTS)[number]
export { DIALECTS }

export const OPTIONS = { with: ['records', 'factors', 'passwords'] } as const

interface Catalogue {
  readonly tables: string
  readonly columns: (table: string) => string
  /** Quotes a column of a row as a literal. */
  readonly quote: (column: string) => string
}

const CATALOGUES: Readonly<Record<FrozenDialect, Catalogue>> = {
  sqlite: {
    tables: "select name from sqlite_master where type = 'table' order by rowid",
    columns: (table) => `select name from pragma_table_info('${table}')`,
    quote: (column) => `quote("${column}")`,
  },
  postgres: {
    tables:
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by oid",
    columns: (table) =>
      `select attname as name from pg_attribute where attrelid = '"${table}"'::regclass and attnum > 0 order by attnum`,
    quote: (column) => `format('%L', "${column}"::text)`,
  },
}

export interface FrozenDatabase {
  readonly db: Kysely<object>
  readonly dialect: FrozenDialect
}

async function rows(db: Kysely<object>, text: string): Promise<{ readonly name: string }[]> {
  return (await sql.raw<{ name: string }>(text).execute(db)).rows
}

/** An empty database. */
export function openDatabase(dialect: FrozenDialect): FrozenDatabase {
  const driver =
    dialect === 'sqlite'
      ? new SqliteDialect({ database: new openSqlite(':memory:') })
      : dialectOver(new PGlite())
  return { dialect, db: new Kysely<object>({ dialect: driver }) }
}

/** The statements of the text, each of which ends with a line that ends with a semicolon. */
export async function runAll({ db }: FrozenDatabase, text: string): Promise<void> {
  for (const statement of text.split(/;\n/))
    if (statement.trim() !== '') await db.executeQuery(CompiledQuery.raw(statement))
}

export async function dumpRows({ db, dialect }: FrozenDatabase): Promise<string[]> {
  const catalogue = CATALOGUES[dialect]
  const lines: string[] = []
  for (const { name: table } of await rows(db, catalogue.tables)) {
    const columns = (await rows(db, catalogue.columns(table))).map(({ name }) => name)
    const quoted = columns.map(catalogue.quote).join(" || ', ' || ")
    const names = columns.map((column) => `"${column}"`).join(', ')
    for (const { name } of await rows(db, `select ${quoted} as name from "${table}" order by 1`))
      lines.push(`insert into "${table}" (${names}) values (${name});`)
  }
  return lines
}

export function tablesOf(dialect: FrozenDialect): string[] {
  return createTables({ dialect, ...OPTIONS }).map(({ statement }) => `${statement};`)
}
