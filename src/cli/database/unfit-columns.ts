/** Columns that are there, and would make what the adapter writes fail or mean something else. */
import type { ColumnMetadata, TableMetadata } from 'kysely'
import type { NamedTable } from '../../adapters/_schema.ts'
import type { SqlDialect } from './create-tables.ts'

/** Types as databases call them, of columns that hold a date as the adapter writes it. */
const DATE_TYPES: Readonly<Record<SqlDialect, RegExp>> = {
  // A column without a type holds anything.
  sqlite: /^(?:$|text|char|varchar|nvarchar|clob|date|timestamp)/i,
  postgres: /^timestamptz$/,
  mysql: /^(?:datetime|timestamp)/i,
  mariadb: /^(?:datetime|timestamp)/i,
}

const WANTED: Readonly<Record<SqlDialect, string>> = {
  sqlite: 'text, with dates as in 2030-01-31T12:00:00.000Z',
  postgres: 'timestamptz(3)',
  mysql: 'datetime(3)',
  mariadb: 'datetime(3)',
}

function dateProblem(
  { name, dataType }: ColumnMetadata,
  table: NamedTable,
  dialect: SqlDialect,
): string[] {
  if (DATE_TYPES[dialect].test(dataType)) return []
  const place = `The column "${name}" of the table "${table.name}"`
  const qualified = [table.schema ?? [], table.name].flat().map((each) => `"${each}"`)
  if (dialect === 'postgres' && dataType === 'timestamp')
    return [
      `${place} is of the type timestamp without a time zone: sessions would end hours too early or too late. If it holds UTC, run: alter table ${qualified.join('.')} alter column "${name}" type timestamptz(3) using "${name}" at time zone 'UTC'`,
    ]
  return [
    `${place} is of the type ${dataType}, and has to hold a date and time. Changing it could destroy what is in it: make it ${WANTED[dialect]} yourself.`,
  ]
}

/** What stands in the way, in sentences. */
export function unfitColumns(
  table: NamedTable,
  found: TableMetadata,
  dialect: SqlDialect,
): readonly string[] {
  const fields = new Map([...table.columns].map(([field, name]) => [name, field]))
  return found.columns.flatMap((column) => {
    const field = fields.get(column.name)
    if (field !== undefined)
      return table.typeOf(field) === 'date' ? dateProblem(column, table, dialect) : []
    if (column.isNullable || column.hasDefaultValue || column.isAutoIncrementing) return []
    return [
      `The table "${table.name}" has a column "${column.name}" of your own that must not be empty and has no default: no row could be added. Give it a default, or let it be null.`,
    ]
  })
}
