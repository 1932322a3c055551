/** `lib-auth schema` prints the tables for the tools of an adapter: as SQL, a Drizzle module or Prisma models. */
import { writeFileSync } from 'node:fs'
import { namedTable, SCHEMA } from '../adapters/_schema.ts'
import type { Column, ColumnType, NamedTable, SchemaNames, TableId } from '../adapters/_schema.ts'
import { createTables, wantedTables } from './database/create-tables.ts'
import type { SqlDialect, TableOptions } from './database/create-tables.ts'
import { errorCode, Failure, readMessage, UsageError } from './errors.ts'
import { NAMING, parseWord, readDialect, readNaming, readOptionalTables } from './options.ts'
import type { Values } from './options.ts'
import type { ExitCode, Terminal } from './terminal.ts'

/** Whether a field alone is the primary key. */
function isKey(id: TableId, field: string): boolean {
  return SCHEMA[id].key.join() === field
}

export type DrizzleDialect = 'sqlite' | 'postgres' | 'mysql'

/** A column function of Drizzle, and its options. */
type DrizzleType = readonly [name: string, options?: string]

const TEXT: DrizzleType = ['text']
const VARCHAR: DrizzleType = ['varchar', 'length: 255']
const BIGINT: DrizzleType = ['bigint', "mode: 'number'"]
const COMMON = { id: TEXT, key: TEXT, text: TEXT, integer: BIGINT, boolean: ['boolean'] } as const
const TIMESTAMP: DrizzleType = ['timestamp', "mode: 'date', withTimezone: true, precision: 3"]
const DATETIME: DrizzleType = ['datetime', "mode: 'date', fsp: 3"]

const DRIZZLE_TYPES: Readonly<Record<DrizzleDialect, Readonly<Record<ColumnType, DrizzleType>>>> = {
  postgres: { ...COMMON, date: TIMESTAMP },
  mysql: { ...COMMON, id: VARCHAR, key: VARCHAR, date: DATETIME },
  sqlite: {
    ...COMMON,
    date: ['integer', "mode: 'timestamp_ms'"],
    integer: ['integer'],
    boolean: ['integer', "mode: 'boolean'"],
  },
}

const quoted = (name: string) => `'${name.replaceAll(/['\\]/g, String.raw`\$&`)}'`

function columnLine(
  table: NamedTable,
  [field, { type: columnType, isNullable }]: readonly [field: string, column: Column],
  dialect: DrizzleDialect,
): string {
  const { unique = [] } = SCHEMA[table.id]
  const rules = [
    isKey(table.id, field) ? '.primaryKey()' : '',
    isNullable || isKey(table.id, field) ? '' : '.notNull()',
    unique.includes(field) ? '.unique()' : '',
    field === 'userId' ? ".references(() => users.id, { onDelete: 'cascade' })" : '',
  ]
  const [type, options] = DRIZZLE_TYPES[dialect][columnType]
  const name = quoted(table.columns.get(field) ?? field)
  return `    ${field}: ${type}(${options ? `${name}, { ${options} }` : name})${rules.join('')},`
}

function drizzleTable(table: NamedTable, dialect: DrizzleDialect): string {
  const { columns, key, indexes = [] } = SCHEMA[table.id]
  const extras = indexes.map((field) => {
    const name = `${table.name}_${table.columns.get(field)}`
    return `    index(${quoted(name)}).on(table.${field}),`
  })
  if (key.length > 1)
    extras.unshift(
      `    primaryKey({ columns: [${key.map((field) => `table.${field}`).join(', ')}] }),`,
    )
  return [
    `export const ${table.id} = ${dialect === 'postgres' ? 'pg' : dialect}Table(`,
    `  ${quoted(table.name)},`,
    '  {',
    ...Object.entries(columns).map((each) => columnLine(table, each, dialect)),
    '  },',
    ...(extras.length > 0 ? ['  (table) => [', ...extras, '  ],'] : []),
    ')',
  ].join('\n')
}

type TableChoice = Pick<TableOptions, 'with'>

export function drizzleSchema(
  dialect: DrizzleDialect,
  names: SchemaNames & TableChoice = {},
): string {
  const tables = wantedTables(names)
    .map((id) => drizzleTable(namedTable(id, names), dialect))
    .join('\n\n')
  const functions = tables.matchAll(/(?<![.\w])([a-z]\w+)(?=\()/g)
  const imports = [...new Set([...functions].map(([name]) => name))].sort().join(', ')
  const module = `drizzle-orm/${dialect === 'postgres' ? 'pg' : dialect}-core`
  return `import { ${imports} } from '${module}'\n\n${tables}\n`
}

/** The type of a column, and its type in MySQL, where Prisma limits text to 191 characters by default. */
const PRISMA_TYPES: Readonly<Record<ColumnType, readonly [type: string, mysql?: string]>> = {
  id: ['String', ' @db.VarChar(255)'],
  key: ['String', ' @db.VarChar(255)'],
  text: ['String', ' @db.Text'],
  date: ['DateTime'],
  integer: ['Int'],
  boolean: ['Boolean'],
}

/** `users` → `User` */
function modelName(id: TableId): string {
  return id.slice(0, 1).toUpperCase() + id.slice(1, -1)
}

/** The field of a user for the rows of another table. */
function relationField(other: TableId): string {
  const name = modelName(other)
  return isKey(other, 'userId') ? `  ${name.toLowerCase()} ${name}?` : `  ${other} ${name}[]`
}

function prismaModel(id: TableId, dialect: SqlDialect, tables: readonly TableId[]): string {
  const { columns, key, unique = [], indexes = [] } = SCHEMA[id]
  const isMysql = dialect === 'mysql' || dialect === 'mariadb'
  const fields = Object.entries(columns).map(([field, { type, isNullable }]) => {
    const [name, mysql = ''] = PRISMA_TYPES[type]
    const rules = [
      isKey(id, field) ? ' @id' : '',
      field === 'id' ? ' @default(uuid())' : '',
      unique.includes(field) ? ' @unique' : '',
      isMysql ? mysql : '',
    ]
    return `  ${field} ${name}${isNullable ? '?' : ''}${rules.join('')}`
  })
  if (id === 'users')
    for (const other of tables)
      if ('userId' in SCHEMA[other].columns) fields.push(relationField(other))
  if ('userId' in columns)
    fields.push('  user User @relation(fields: [userId], references: [id], onDelete: Cascade)')
  if (key.length > 1) fields.push(`  @@id([${key.join(', ')}])`)
  fields.push(...indexes.map((field) => `  @@index([${field}])`))
  return [`model ${modelName(id)} {`, ...fields, '}'].join('\n')
}

export function prismaSchema(dialect: SqlDialect = 'postgres', choice: TableChoice = {}): string {
  const tables = wantedTables(choice)
  return `${tables.map((id) => prismaModel(id, dialect, tables)).join('\n\n')}\n`
}

const ADAPTERS = ['kysely', 'drizzle', 'prisma'] as const
const NAMED: readonly string[] = Object.keys(NAMING)
/** The options of {@link NAMING} that have an effect. */
const EFFECTIVE = { kysely: NAMED, drizzle: ['columns', 'column', 'table'], prisma: [] }

function schemaFor(values: Values): string {
  if (values.adapter === undefined)
    throw new UsageError(`The adapter is missing: --adapter ${ADAPTERS.join('|')}`)
  const adapter = parseWord('--adapter', values.adapter, ADAPTERS)
  const effective: readonly string[] = EFFECTIVE[adapter]
  const other = NAMED.find((option) => option in values && !effective.includes(option))
  if (other !== undefined)
    throw new UsageError(
      `--${other} has no effect with ${adapter}: edit the printed schema instead.`,
    )
  const dialect = readDialect(values)
  const choice = { with: readOptionalTables(values) }
  if (adapter === 'prisma') return prismaSchema(dialect, choice)
  const names = { ...readNaming(values), ...choice }
  if (adapter === 'drizzle') return drizzleSchema(dialect === 'mariadb' ? 'mysql' : dialect, names)
  const statements = createTables({ dialect, ...names })
  return statements.map(({ statement }) => `${statement};\n`).join('\n')
}

export function printSchema(values: Values, terminal: Terminal): ExitCode {
  const { out } = values
  const text = schemaFor(values)
  try {
    // Existing files are kept, because they may have been edited.
    if (out !== undefined) writeFileSync(out, text, { flag: 'wx' })
  } catch (cause) {
    const isKept = errorCode(cause) === 'EEXIST'
    const what = isKept
      ? 'exists already and was not changed.'
      : `was not written: ${readMessage(cause)}`
    throw new Failure(`${out} ${what}`, { cause })
  }
  terminal.print(out === undefined ? text.trimEnd() : `Wrote ${out}.`)
  return 0
}
