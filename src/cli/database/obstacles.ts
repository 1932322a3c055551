/** Existing columns and rows that prevent a migration. */
import { sql } from 'kysely'
import type { ColumnMetadata, TableMetadata } from 'kysely'
import type { NamedTable } from '../../adapters/_schema.ts'
import type { Connection } from './connect.ts'
import type { Creation, SqlDialect, TableOptions } from './create-tables.ts'

/** The types of columns that hold dates as the adapter writes them, and the type to use. */
const DATES: Readonly<Record<SqlDialect, readonly [types: RegExp, recommended: string]>> = {
  // A column without a type accepts any value.
  sqlite: [
    /^(?:$|text|char|varchar|nvarchar|clob|date|timestamp)/i,
    'text, with dates as in 2030-01-31T12:00:00.000Z',
  ],
  postgres: [/^timestamptz$/, 'timestamptz(3)'],
  mysql: [/^(?:datetime|timestamp)/i, 'datetime(3)'],
  mariadb: [/^(?:datetime|timestamp)/i, 'datetime(3)'],
}

function dateProblem(
  { name, dataType }: ColumnMetadata,
  table: NamedTable,
  dialect: SqlDialect,
): string[] {
  const [types, recommended] = DATES[dialect]
  if (types.test(dataType)) return []
  const place = `The column "${name}" of the table "${table.name}"`
  const qualified = [table.schema ?? [], table.name].flat().map((each) => `"${each}"`)
  return dialect === 'postgres' && dataType === 'timestamp'
    ? [
        `${place} is of type timestamp without time zone, so sessions would end hours too early or too late. If it contains UTC, run: alter table ${qualified.join('.')} alter column "${name}" type timestamptz(3) using "${name}" at time zone 'UTC'`,
      ]
    : [
        `${place} is of type ${dataType}, which cannot hold a date and time. Change it to ${recommended}; this could destroy data, so it is not done for you.`,
      ]
}

/** Columns with a type that does not fit, and required columns that the adapter does not write. */
export function columnObstacles(
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
      `The table "${table.name}" has an additional column "${column.name}" that is not null and has no default, so no row could be inserted. Give it a default, or allow null.`,
    ]
  })
}

/** Whether the type of existing user ids is the expected one. */
export function idObstacle(
  { columns }: TableMetadata,
  users: NamedTable,
  { ids = 'text', dialect }: TableOptions,
): string | undefined {
  const name = users.columns.get('id') ?? 'id'
  const id = columns.find((column) => column.name === name)
  if (!id)
    return `The table "${users.name}" has no column "${name}". Set its name with --column, or the table with --table.`
  const type = id.dataType.toLowerCase()
  const found = `The table "${users.name}" has ids of type ${id.dataType}.`
  if (/char|text/.test(type)) {
    // Only PostgreSQL has a type for UUIDs.
    const isText = ids === 'text' || (ids === 'uuid' && dialect !== 'postgres')
    return isText ? undefined : `${found} Remove: --ids ${ids}`
  }
  const actual = type.includes('int') ? 'integer' : type === 'uuid' ? 'uuid' : undefined
  return actual === undefined || actual === ids ? undefined : `${found} Add: --ids ${actual}`
}

interface Counts {
  readonly rows: number | string | null
  readonly values: number | string
}

/** Duplicate rows, which prevent a unique index. The message contains no values. */
export async function duplicateObstacles(
  { db }: Connection,
  table: NamedTable,
  { columns }: Creation,
): Promise<readonly string[]> {
  const name = table.schema ? sql.id(table.schema, table.name) : sql.id(table.name)
  const all = sql.join(columns.map((column) => sql.id(column)))
  // Unique indexes ignore null.
  const filled = columns.map((column) => sql`${sql.id(column)} is not null`)
  const list = sql`select ${all}, count(*) as ${sql.id('rows')} from ${name} where ${sql.join(filled, sql` and `)} group by ${all} having count(*) > 1`
  const counted = sql<Counts>`select sum(${sql.id('rows')}) as ${sql.id('rows')}, count(*) as ${sql.id('values')} from (${list}) as duplicates`
  const [{ rows, values } = { rows: 0, values: 0 }] = (await counted.execute(db)).rows
  if (Number(values) === 0) return []
  const named = columns.map((column) => `"${column}"`).join(' and ')
  const option =
    table.id === 'users'
      ? ' To allow several users with the same address, add: --no-unique-email'
      : ''
  return [
    `${Number(rows)} rows of the table "${table.name}" have the same ${named} as another row (different values: ${Number(values)}), so a unique index cannot be created, and nothing is changed. To list them, run: ${list.compile(db).sql}; Change the rows, or delete the duplicates.${option}`,
  ]
}
