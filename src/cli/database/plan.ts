/** Plans the statements that create what a database lacks. Nothing is changed or deleted. */
import type { TableMetadata } from 'kysely'
import { sql } from 'kysely'
import { SCHEMA } from '../../adapters/_schema.ts'
import type { NamedTable } from '../../adapters/_schema.ts'
import type { Connection } from './connect.ts'
import { TABLES, writer } from './create-tables.ts'
import type { Creation, TableOptions } from './create-tables.ts'
import { canReference, inspect } from './inspect.ts'
import type { Index } from './inspect.ts'
import { columnObstacles, duplicateObstacles, idObstacle } from './obstacles.ts'

export interface Plan {
  /** In the order in which they run. */
  readonly steps: readonly Step[]
  /** What the user has to change first, in sentences. */
  readonly obstacles: readonly string[]
}

export interface Step {
  readonly title: string
  readonly statement: string
}

function stepOf({ kind, name, statement }: Creation): Step {
  return { title: `create ${kind} ${name}`, statement }
}

/** A column that is not null cannot be added to rows. */
async function hasRows({ db }: Connection, { name, schema }: NamedTable): Promise<boolean> {
  const table = schema ? sql.id(schema, name) : sql.id(name)
  return (await sql`select 1 from ${table} limit 1`.execute(db)).rows.length > 0
}

/** Whether an existing index replaces the planned one, under any name. */
function isCovered(indexes: readonly Index[], { table, columns, isUnique }: Creation): boolean {
  return indexes.some((index) => {
    if (index.table !== table) return false
    if (!isUnique) return index.columns[0] === columns[0]
    const isSame = index.columns.length === columns.length
    return index.isUnique && isSame && columns.every((name) => index.columns.includes(name))
  })
}

async function missingColumns(
  connection: Connection,
  { table, found, options }: { table: NamedTable; found: TableMetadata; options: TableOptions },
): Promise<Plan> {
  const { column, nameOf } = writer(options)
  const existing = new Set(found.columns.map(({ name }) => name))
  const steps: Step[] = []
  const obstacles = [...columnObstacles(table, found, options.dialect)]
  for (const [field, name] of table.columns) {
    if (existing.has(name)) continue
    const definition = SCHEMA[table.id].columns[field]
    const isRequired = definition !== undefined && !definition.isNullable
    if (isRequired && (await hasRows(connection, table)))
      obstacles.push(
        `The table "${table.name}" has rows, but no column "${name}", which must not be null. Add and fill it yourself, or empty the table.`,
      )
    else
      steps.push({
        title: `add column ${name} to ${table.name}`,
        statement: `alter table ${nameOf(table)} add column ${column(table, field)}`,
      })
  }
  return { steps, obstacles }
}

/** Returns no steps while duplicates prevent a unique index. */
export async function planFor(connection: Connection, options: TableOptions): Promise<Plan> {
  const { of, column, createTable, createIndexes, createKey } = writer(options)
  const inspection = await inspect(connection, options.schema)
  const tableNamed = (name: string) => inspection.tables.find((table) => table.name === name)
  const users = tableNamed(of('users').name)
  const wrongIds = users && idObstacle(users, of('users'), options)
  if (wrongIds) return { steps: [], obstacles: [wrongIds] }
  const reference = column(of('sessions'), 'userId')
  const hasForeignKeys =
    !users || (await canReference(connection, inspection, { users: of('users'), reference }))
  const steps: Step[] = []
  const obstacles: string[] = []
  const duplicates: string[] = []
  for (const table of TABLES.map(of)) {
    const found = tableNamed(table.name)
    if (!found) {
      steps.push(...[createTable(table, hasForeignKeys), ...createIndexes(table)].map(stepOf))
      continue
    }
    const missing = await missingColumns(connection, { table, found, options })
    const wanted = [...createKey(table), ...createIndexes(table)].filter(
      (index) => !isCovered(inspection.indexes, index),
    )
    const existing = new Set(found.columns.map(({ name }) => name))
    for (const index of wanted)
      // A column that does not exist yet has no values.
      if (index.isUnique && index.columns.every((name) => existing.has(name)))
        duplicates.push(...(await duplicateObstacles(connection, table, index)))
    obstacles.push(...missing.obstacles)
    if (missing.obstacles.length === 0) steps.push(...missing.steps, ...wanted.map(stepOf))
  }
  return {
    steps: duplicates.length > 0 ? [] : steps,
    obstacles: [...obstacles, ...duplicates],
  }
}
