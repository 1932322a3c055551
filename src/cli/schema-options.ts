/** The options that describe the tables. */
import { SCHEMA } from '../adapters/_schema.ts'
import type { TableId } from '../adapters/_schema.ts'
import type { Option, OptionHelp, Values } from './command.ts'
import type { SqlDialect, SqlIds, TableOptions } from './database/create-tables.ts'
import { UsageError } from './errors.ts'

/** The options for tables that differ from the defaults. */
export const NAMING: OptionHelp = {
  ids: ['text|uuid|integer', 'Type of user ids (default: text)'],
  columns: ['snake_case', 'Write all column names in snake case'],
  column: [
    '<table>.<field>=<name>',
    'Name of a column, as in users.emailVerified=verified_at; repeatable',
  ],
  table: ['<table>=<name>', 'Name of a table, as in users=people; repeatable'],
  schema: ['<name>', 'Schema (PostgreSQL) or database (MySQL) of the tables'],
  'no-unique-email': ['', 'Allow several users with the same e-mail address'],
}

const DIALECTS: readonly SqlDialect[] = ['postgres', 'mysql', 'mariadb', 'sqlite']
const STYLES = ['snake_case'] as const
const IDS: readonly SqlIds[] = ['text', 'uuid', 'integer']

/** Returns the value if it is one of the words. @throws UsageError */
export function oneOf<Word extends string>(
  option: Option,
  typed: string,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === typed)
  if (found !== undefined) return found
  throw new UsageError(`--${option} is "${typed}"; it must be one of: ${words.join(', ')}.`)
}

export function readDialect({ dialect = 'postgres' }: Values): SqlDialect {
  return oneOf('dialect', dialect, DIALECTS)
}

function isTable(name: string): name is TableId {
  return Object.hasOwn(SCHEMA, name)
}

function tableNamed(option: Option, name: string): TableId {
  if (isTable(name)) return name
  const all = Object.keys(SCHEMA).join(', ')
  throw new UsageError(`--${option} names the table "${name}"; the tables are: ${all}.`)
}

function pairOf(option: 'table' | 'column', typed: string, example: string): [string, string] {
  const [left = '', right = ''] = typed.split(/=(.*)/s, 2)
  if (left !== '' && right !== '') return [left, right]
  throw new UsageError(`--${option} is "${typed}"; write it as --${option} ${example}.`)
}

function readTables({ table = [] }: Values): TableOptions['tables'] {
  const names: Partial<Record<TableId, string>> = {}
  for (const typed of table) {
    const [id, name] = pairOf('table', typed, 'users=people')
    names[tableNamed('table', id)] = name
  }
  return names
}

function readColumns({ columns, column = [] }: Values): TableOptions['columns'] {
  if (columns !== undefined) {
    if (column.length > 0) throw new UsageError('Use either --columns or --column.')
    return oneOf('columns', columns, STYLES)
  }
  const names: Partial<Record<TableId, Record<string, string>>> = {}
  for (const typed of column) {
    const [place, name] = pairOf('column', typed, 'users.emailVerified=verified_at')
    const [left = '', field = ''] = place.split('.')
    const table = tableNamed('column', left)
    if (!Object.hasOwn(SCHEMA[table].columns, field)) {
      const all = Object.keys(SCHEMA[table].columns).join(', ')
      throw new UsageError(`--column is "${typed}"; the fields of ${table} are: ${all}.`)
    }
    names[table] = { ...names[table], [field]: name }
  }
  return names
}

export function readNaming(values: Values): Omit<TableOptions, 'dialect'> {
  const { ids, schema } = values
  return {
    ids: ids === undefined ? undefined : oneOf('ids', ids, IDS),
    tables: readTables(values),
    columns: readColumns(values),
    schema,
    uniqueEmail: !values['no-unique-email'],
  }
}
