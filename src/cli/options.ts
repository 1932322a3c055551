/** The options of all commands, and those that describe tables. */
import type { parseArgs } from 'node:util'
import { namedTable, OPTIONAL_TABLES, SCHEMA, TABLES } from '../adapters/_schema.ts'
import type { OptionalTable, SchemaNames, TableId } from '../adapters/_schema.ts'
import type { SqlDialect, SqlIds, TableOptions } from './database/create-tables.ts'
import { UsageError } from './errors.ts'

export const OPTIONS = {
  adapter: { type: 'string' },
  check: { type: 'boolean' },
  column: { type: 'string', multiple: true },
  columns: { type: 'string' },
  config: { type: 'string' },
  dialect: { type: 'string' },
  downgrade: { type: 'string' },
  'dry-run': { type: 'boolean' },
  from: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  ids: { type: 'string' },
  json: { type: 'boolean' },
  'no-unique-email': { type: 'boolean' },
  out: { type: 'string' },
  port: { type: 'string' },
  print: { type: 'boolean' },
  schema: { type: 'string' },
  table: { type: 'string', multiple: true },
  url: { type: 'string' },
  version: { type: 'boolean', short: 'v' },
  with: { type: 'string', multiple: true },
  yes: { type: 'boolean', short: 'y' },
} as const

export type Arguments = ReturnType<
  typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>
>

export type Values = Arguments['values']

/** The value of each option, such as `<file>`, and its description. */
export type OptionHelp = Partial<
  Record<keyof typeof OPTIONS, readonly [value: string, help: string]>
>

export const NAMING: OptionHelp = {
  ids: ['text|uuid|integer', 'Type of user ids (default: text)'],
  columns: ['snake_case', 'Write all column names in snake case'],
  column: [
    '<table>.<field>=<name>',
    'Name of a column: users.emailVerified=verified_at; repeatable',
  ],
  table: ['<table>=<name>', 'Name of a table: users=people; repeatable'],
  schema: ['<name>', 'Schema (PostgreSQL) or database (MySQL) of the tables'],
  'no-unique-email': ['', 'Allow several users with the same e-mail address'],
}

export const WITH: OptionHelp = {
  with: [
    '<tables>',
    'Also optional tables: records (such as rate limits), factors, passwords; separated by commas',
  ],
}

const ALL_TABLES = [...TABLES, ...OPTIONAL_TABLES]
const DIALECTS: readonly SqlDialect[] = ['postgres', 'mysql', 'mariadb', 'sqlite']
const IDS: readonly SqlIds[] = ['text', 'uuid', 'integer']

/** Returns the value if it is one of the words. @throws UsageError */
export function parseWord<Word extends string>(
  what: string,
  typed: string | undefined,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === typed)
  if (found !== undefined) return found
  throw new UsageError(`${what} is "${typed}"; it must be one of: ${words.join(', ')}.`)
}

export const isDatabaseUrl = (url: string): boolean =>
  /^(?:postgres(?:ql)?|mysql|mariadb|file|sqlite):/.test(url)

/** @throws UsageError if the scheme is not one of a supported database */
export function requireDatabaseUrl(url: string): void {
  if (isDatabaseUrl(url)) return
  throw new UsageError(
    'The database URL must begin with postgres:, mysql:, mariadb:, file: or sqlite:, as in postgres://user:password@localhost:5432/app.',
  )
}

export function readDialect({ dialect = 'postgres' }: Values): SqlDialect {
  return parseWord('--dialect', dialect, DIALECTS)
}

/** Splits the value of an option. @throws UsageError if it does not match the pattern of the example */
function split(typed: string, pattern: RegExp, example: string): readonly string[] {
  const [, ...parts] = pattern.exec(typed) ?? []
  if (parts.length > 0) return parts
  const [option] = example.split(' ')
  throw new UsageError(`${option} is "${typed}"; write it as ${example}.`)
}

function readTables({ table = [] }: Values): TableOptions['tables'] {
  const names = table.map((typed) => {
    const [id, name] = split(typed, /^([^=]+)=(.+)$/s, '--table users=people')
    return [parseWord('The table of --table', id, ALL_TABLES), name] as const
  })
  return Object.fromEntries(names)
}

function readColumns({ columns, column = [] }: Values): TableOptions['columns'] {
  const names: Partial<Record<TableId, Record<string, string>>> = {}
  for (const typed of column) {
    const example = '--column users.emailVerified=verified_at'
    const [id, field, name = ''] = split(typed, /^([^.=]+)\.([^=]+)=(.+)$/s, example)
    const table = parseWord('The table of --column', id, ALL_TABLES)
    const fields = Object.keys(SCHEMA[table].columns)
    names[table] = { ...names[table], [parseWord(`The field of ${table}`, field, fields)]: name }
  }
  if (columns === undefined) return names
  if (column.length > 0) throw new UsageError('Use either --columns or --column.')
  return parseWord('--columns', columns, ['snake_case'] as const)
}

/** The optional tables, each once: of `--with` that is repeated, or has several names separated by commas. */
export function readOptionalTables({ with: typed = [] }: Values): readonly OptionalTable[] {
  const names = typed.flatMap((each) => each.split(','))
  return [...new Set(names.map((name) => parseWord('--with', name, OPTIONAL_TABLES)))]
}

/** The first name that is there twice. */
const repeated = (names: readonly string[]): string | undefined =>
  names.find((name, index) => names.indexOf(name) !== index)

/** @throws UsageError for two tables, or two columns of a table, of the same name */
function requireDifferentNames(names: SchemaNames, values: Values): void {
  const tables = [...TABLES, ...readOptionalTables(values)].map((id) => namedTable(id, names))
  const table = repeated(tables.map(({ name }) => name))
  if (table !== undefined) throw new UsageError(`Two tables have the same name: "${table}".`)
  for (const { id, columns } of tables) {
    const column = repeated([...columns.values()])
    if (column !== undefined)
      throw new UsageError(`Two columns of ${id} have the same name: "${column}".`)
  }
}

/** @throws UsageError for a value that is not valid */
export function readNaming(values: Values): Omit<TableOptions, 'dialect'> {
  const { ids, schema } = values
  const names = { tables: readTables(values), columns: readColumns(values), schema }
  requireDifferentNames(names, values)
  return {
    ids: ids === undefined ? undefined : parseWord('--ids', ids, IDS),
    ...names,
    uniqueEmail: !values['no-unique-email'],
  }
}
