/** What was typed about a database: its dialect, and what its tables and columns are called. */
import { SCHEMA } from '../adapters/_schema.ts'
import type { TableId } from '../adapters/_schema.ts'
import type { Option, Values } from './command.ts'
import type { SqlDialect, SqlIds, TableOptions } from './database/create-tables.ts'
import { UsageError } from './errors.ts'

/** The options that say what tables look like. */
export const NAMING: readonly Option[] = [
  'ids',
  'columns',
  'column',
  'table',
  'schema',
  'no-unique-email',
]

const DIALECTS: readonly SqlDialect[] = ['postgres', 'mysql', 'mariadb', 'sqlite']
const STYLES = ['snake_case'] as const
const IDS: readonly SqlIds[] = ['text', 'uuid', 'integer']

/** The one of some words that was typed. */
export function oneOf<Word extends string>(
  option: Option,
  typed: string,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === typed)
  if (found !== undefined) return found
  throw new UsageError(`--${option} is "${typed}"; it has to be one of: ${words.join(', ')}.`)
}

/** PostgreSQL, unless something else was typed. */
export function readDialect({ dialect = 'postgres' }: Values): SqlDialect {
  return oneOf('dialect', dialect, DIALECTS)
}

function isTable(name: string): name is TableId {
  return Object.hasOwn(SCHEMA, name)
}

function tableNamed(option: Option, name: string): TableId {
  if (isTable(name)) return name
  const known = Object.keys(SCHEMA).join(', ')
  throw new UsageError(`--${option} names the table "${name}"; there are: ${known}.`)
}

/** Both sides of `one=other`. */
function pairOf(option: 'table' | 'column', typed: string, example: string): [string, string] {
  const [left = '', right = ''] = typed.split(/=(.*)/s, 2)
  if (left !== '' && right !== '') return [left, right]
  throw new UsageError(`--${option} is "${typed}"; write it as in --${option} ${example}.`)
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
    if (column.length > 0) throw new UsageError('Give --columns or --column, not both.')
    return oneOf('columns', columns, STYLES)
  }
  const names: Partial<Record<TableId, Record<string, string>>> = {}
  for (const typed of column) {
    const [place, name] = pairOf('column', typed, 'users.emailVerified=verified_at')
    const [left = '', field = ''] = place.split('.')
    const table = tableNamed('column', left)
    if (!Object.hasOwn(SCHEMA[table].columns, field)) {
      const known = Object.keys(SCHEMA[table].columns).join(', ')
      throw new UsageError(`--column is "${typed}"; the table ${table} has: ${known}.`)
    }
    names[table] = { ...names[table], [field]: name }
  }
  return names
}

/** What the tables look like. */
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
