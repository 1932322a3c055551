/** What has to be done to a database until it has every table, column and index: nothing is ever taken away. */
import type { TableMetadata } from 'kysely'
import { sql } from 'kysely'
import { SCHEMA } from '../../adapters/_schema.ts'
import type { NamedTable } from '../../adapters/_schema.ts'
import type { Connection } from './connect.ts'
import { TABLES, writer } from './create-tables.ts'
import type { Creation, TableOptions } from './create-tables.ts'
import { currentSchema } from './current-schema.ts'
import { duplicatesOf } from './duplicates.ts'
import { canRefer } from './foreign-keys.ts'
import { findIndexes } from './indexes.ts'
import type { Index } from './indexes.ts'
import { unfitColumns } from './unfit-columns.ts'

/** What to do, and what only a person can do. */
export interface Plan {
  /** In the order in which they have to run. */
  readonly steps: readonly Step[]
  /** What stands in the way, in sentences. */
  readonly obstacles: readonly string[]
}

/** One statement. */
export interface Step {
  /** What it does, in a few words. */
  readonly title: string
  readonly statement: string
}

/** The tables in a schema. */
async function tablesOf({ db, dialect }: Connection, schema: string): Promise<TableMetadata[]> {
  const tables = await db.introspection.getTables()
  return dialect === 'sqlite' ? tables : tables.filter((table) => table.schema === schema)
}

function created({ kind, name, statement }: Creation): Step {
  return { title: `create ${kind} ${name}`, statement }
}

/** Whether there are rows: a column that must not be empty cannot be added to them. */
async function isEmpty({ db }: Connection, { name, schema }: NamedTable): Promise<boolean> {
  const table = schema ? sql.id(schema, name) : sql.id(name)
  return (await sql`select 1 from ${table} limit 1`.execute(db)).rows.length === 0
}

/** Whether an index does what is asked of one. */
function isServed(indexes: readonly Index[], { table, columns, isUnique }: Creation): boolean {
  return indexes.some((index) => {
    if (index.table !== table) return false
    if (!isUnique) return index.columns[0] === columns[0]
    const isSame = index.columns.length === columns.length
    return index.isUnique && isSame && columns.every((name) => index.columns.includes(name))
  })
}

/** What is wrong with the ids of users that are there, if anything. */
function typeOfIds(
  { columns }: TableMetadata,
  users: NamedTable,
  { ids = 'text', dialect }: TableOptions,
): string | undefined {
  const id = columns.find(({ name }) => name === users.columns.get('id'))
  if (!id)
    return `The table "${users.name}" has no column "${users.columns.get('id')}". Say what it is called, or which other table the users are in.`
  const type = id.dataType.toLowerCase()
  const found = `The table "${users.name}" has ids of the type ${id.dataType}.`
  if (/char|text/.test(type)) {
    // Where there is no such type, a UUID is a text.
    const isText = ids === 'text' || (ids === 'uuid' && dialect !== 'postgres')
    return isText ? undefined : `${found} Leave out: --ids ${ids}`
  }
  const actual = type.includes('int') ? 'integer' : type === 'uuid' ? 'uuid' : undefined
  if (actual === undefined || actual === ids) return undefined
  return `${found} Add: --ids ${actual}`
}

/** What a table that is there lacks. */
async function missingFrom(
  connection: Connection,
  { table, found, options }: { table: NamedTable; found: TableMetadata; options: TableOptions },
): Promise<Plan> {
  const { column, nameOf } = writer(options)
  const there = new Set(found.columns.map(({ name }) => name))
  const steps: Step[] = []
  const obstacles = [...unfitColumns(table, found, options.dialect)]
  for (const [field, name] of table.columns) {
    if (there.has(name)) continue
    const { isNullable = field in SCHEMA[table.id].columns ? undefined : true } =
      SCHEMA[table.id].columns[field] ?? {}
    if (!isNullable && !(await isEmpty(connection, table)))
      obstacles.push(
        `The table "${table.name}" has rows, and no column "${name}", which must not be empty. Add it and fill it yourself, or empty the table.`,
      )
    else
      steps.push({
        title: `add column ${name} to ${table.name}`,
        statement: `alter table ${nameOf(table)} add column ${column(table, field)}`,
      })
  }
  return { steps, obstacles }
}

/** What a unique index cannot be made over. Columns that are still to be added are empty. */
async function obstaclesTo(
  connection: Connection,
  { table, found, wanted }: { table: NamedTable; found: TableMetadata; wanted: Creation[] },
): Promise<string[]> {
  const there = new Set(found.columns.map(({ name }) => name))
  const isOverAll = ({ columns }: Creation) => columns.every((name) => there.has(name))
  const unique = wanted.filter((index) => index.isUnique && isOverAll(index))
  const obstacles: string[] = []
  for (const index of unique) obstacles.push(...(await duplicatesOf(connection, table, index)))
  return obstacles
}

/** What has to be done; nothing, while a unique index cannot be made. */
export async function planFor(connection: Connection, options: TableOptions): Promise<Plan> {
  const { of, column, createTable, createIndexes, createKey } = writer(options)
  const schema = await currentSchema(connection, options.schema)
  const tables = await tablesOf(connection, schema)
  const indexes = await findIndexes(connection, schema)
  const tableNamed = (name: string) => tables.find((table) => table.name === name)
  const users = tableNamed(of('users').name)
  const mistaken = users && typeOfIds(users, of('users'), options)
  if (mistaken) return { steps: [], obstacles: [mistaken] }
  const reference = column(of('sessions'), 'userId')
  const hasForeignKeys =
    !users || (await canRefer(connection, { users: of('users'), schema, indexes, reference }))
  const duplicates: string[] = []
  const planOf = async (table: NamedTable): Promise<Plan> => {
    const found = tableNamed(table.name)
    const missing = found
      ? await missingFrom(connection, { table, found, options })
      : { obstacles: [], steps: [created(createTable(table, hasForeignKeys))] }
    const all = found ? [...createKey(table), ...createIndexes(table)] : createIndexes(table)
    const wanted = found ? all.filter((index) => !isServed(indexes, index)) : all
    if (found) duplicates.push(...(await obstaclesTo(connection, { table, found, wanted })))
    if (missing.obstacles.length > 0) return { obstacles: missing.obstacles, steps: [] }
    return { obstacles: [], steps: [...missing.steps, ...wanted.map(created)] }
  }
  const all: Plan[] = []
  for (const id of TABLES) all.push(await planOf(of(id)))
  return {
    steps: duplicates.length > 0 ? [] : all.flatMap(({ steps }) => steps),
    obstacles: [...all.flatMap(({ obstacles }) => obstacles), ...duplicates],
  }
}
