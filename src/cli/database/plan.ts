/** Plans the statements that create what a database lacks. Nothing is changed or deleted. */
import { sql } from 'kysely'
import type { ColumnMetadata, RawBuilder, TableMetadata } from 'kysely'
import { SCHEMA } from '../../adapters/_schema.ts'
import type { NamedTable, TableId } from '../../adapters/_schema.ts'
import type { Connection } from './connect.ts'
import { checkNames, wantedTables, writer } from './create-tables.ts'
import type { Index, SqlDialect, Step, TableOptions } from './create-tables.ts'
import { canReference, inspect } from './inspect.ts'
import type { ForeignKey } from './inspect.ts'

export interface Plan {
  readonly steps: readonly Step[]
  /** What the user has to change first, in sentences. */
  readonly obstacles: readonly string[]
  /** The tables that the steps and obstacles are about. */
  readonly incomplete: readonly TableId[]
  /** What the database has. */
  readonly tables: readonly TableMetadata[]
}

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

function dateProblem({ name, dataType }: ColumnMetadata, table: NamedTable, dialect: SqlDialect) {
  const [types, recommended] = DATES[dialect]
  if (types.test(dataType)) return []
  const place = `The column "${name}" of the table "${table.name}"`
  const qualified = [table.schema ?? [], table.name].flat().map((each) => `"${each}"`)
  const problem =
    dialect === 'postgres' && dataType === 'timestamp'
      ? `timestamp without time zone, so sessions would end hours too early or too late. If it contains UTC, run: alter table ${qualified.join('.')} alter column "${name}" type timestamptz(3) using "${name}" at time zone 'UTC'`
      : `${dataType}, which cannot hold a date and time. Change it to ${recommended}; this could destroy data, so it is not done for you.`
  return [`${place} is of type ${problem}`]
}

/** An application may have another table of this name, such as its own `records`. */
function otherTable({ id }: NamedTable): string {
  if (id === 'users') return ''
  return ` If it is another table of your application, choose a name with --table ${id}=<name>, and in the option tables of the adapter.`
}

/** Columns with a type that does not fit, and required columns that the adapter does not write. */
function columnObstacles(table: NamedTable, found: TableMetadata, dialect: SqlDialect) {
  const fields = new Map([...table.columns].map(([field, name]) => [name, field]))
  return found.columns.flatMap((column) => {
    const field = fields.get(column.name)
    if (field !== undefined)
      return table.columnType(field) === 'date' ? dateProblem(column, table, dialect) : []
    if (column.isNullable || column.hasDefaultValue || column.isAutoIncrementing) return []
    return [
      `The table "${table.name}" has an additional column "${column.name}" that is not null and has no default, so no row could be inserted. Give it a default, or allow null.${otherTable(table)}`,
    ]
  })
}

function idObstacle(
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

/** Foreign keys to another table than that of the users, which reject every row of a new user. */
function foreignKeyObstacles(
  foreignKeys: readonly ForeignKey[],
  { name, columns }: NamedTable,
  users: NamedTable,
): readonly string[] {
  return foreignKeys.flatMap(({ table, column, target }) => {
    const isUser = table === name && column === columns.get('userId')
    if (!isUser || target.toLowerCase() === users.name.toLowerCase()) return []
    return `The column "${column}" of the table "${name}" references the table "${target}", so no row of a user in "${users.name}" could be inserted. Drop this foreign key, or store users in "${target}": --table users=${target}`
  })
}

const reference = ({ name, schema }: NamedTable): RawBuilder<unknown> =>
  schema ? sql.id(schema, name) : sql.id(name)

type Counts = Readonly<Record<'rows' | 'values', number | string | null>>

/** Duplicate rows, which prevent a unique index. The message contains no values. */
async function duplicateObstacles(
  { db }: Connection,
  table: NamedTable,
  { columns }: Index,
): Promise<readonly string[]> {
  const all = sql.join(columns.map((column) => sql.id(column)))
  // Unique indexes ignore null.
  const filled = columns.map((column) => sql`${sql.id(column)} is not null`)
  const list = sql`select ${all}, count(*) as ${sql.id('rows')} from ${reference(table)} where ${sql.join(filled, sql` and `)} group by ${all} having count(*) > 1`
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

/** Columns that are not null and missing: they cannot be added to rows. */
async function requiredObstacles(
  { db }: Connection,
  table: NamedTable,
  missing: readonly (readonly [field: string, name: string])[],
): Promise<readonly string[]> {
  const { columns } = SCHEMA[table.id]
  const required = missing.filter(([field]) => columns[field] && !columns[field].isNullable)
  if (required.length === 0) return []
  const { rows } = await sql`select 1 from ${reference(table)} limit 1`.execute(db)
  if (rows.length === 0) return []
  return required.map(
    ([, name]) =>
      `The table "${table.name}" has rows, but no column "${name}", which must not be null. Add and fill it yourself, or empty the table.${otherTable(table)}`,
  )
}

/** Whether an existing index replaces the planned one, under any name. */
function isCovered(indexes: readonly Index[], { table, columns, isUnique }: Index): boolean {
  return indexes.some((index) => {
    if (index.table !== table) return false
    if (!isUnique) return index.columns[0] === columns[0]
    const isSame = index.columns.length === columns.length
    return index.isUnique && isSame && columns.every((name) => index.columns.includes(name))
  })
}

/** Returns no steps while duplicates prevent a unique index. */
export async function planFor(connection: Connection, options: TableOptions): Promise<Plan> {
  checkNames(options)
  const { nameTable, column, addColumn, createTable, createIndexes } = writer(options)
  const inspection = await inspect(connection, options.schema)
  const { tables } = inspection
  const find = ({ name }: NamedTable) => tables.find((table) => table.name === name)
  const users = nameTable('users')
  const foundUsers = find(users)
  const wrongIds = foundUsers && idObstacle(foundUsers, users, options)
  if (wrongIds) return { steps: [], obstacles: [wrongIds], incomplete: ['users'], tables }
  const hasForeignKeys =
    !foundUsers ||
    (await canReference(connection, inspection, users, column(nameTable('sessions'), 'userId')))
  const steps: Step[] = []
  const obstacles: string[] = []
  const duplicates: string[] = []
  const incomplete: TableId[] = []
  for (const table of wantedTables(options).map(nameTable)) {
    const found = find(table)
    if (!found) {
      steps.push(...createTable(table, hasForeignKeys))
      incomplete.push(table.id)
      continue
    }
    const existing = new Set(found.columns.map(({ name }) => name))
    const missing = [...table.columns].filter(([, name]) => !existing.has(name))
    const wanted = createIndexes(table, 'existing').filter(
      (index) => !isCovered(inspection.indexes, index),
    )
    for (const index of wanted)
      // A column that does not exist yet has no values.
      if (index.isUnique && index.columns.every((name) => existing.has(name)))
        duplicates.push(...(await duplicateObstacles(connection, table, index)))
    const own = [
      ...columnObstacles(table, found, options.dialect),
      ...foreignKeyObstacles(inspection.foreignKeys, table, users),
      ...(await requiredObstacles(connection, table, missing)),
    ]
    obstacles.push(...own)
    if ([...own, ...missing, ...wanted].length > 0) incomplete.push(table.id)
    if (own.length === 0)
      steps.push(...missing.map(([field]) => addColumn(table, field)), ...wanted)
  }
  return {
    steps: duplicates.length > 0 ? [] : steps,
    obstacles: [...obstacles, ...duplicates],
    incomplete,
    tables,
  }
}
