/** The tables as a Drizzle module. */
import { SCHEMA, TABLES, namedTable } from '../../adapters/_schema.ts'
import type { Column, ColumnType, NamedTable, SchemaNames } from '../../adapters/_schema.ts'

export type DrizzleDialect = 'sqlite' | 'postgres' | 'mysql'

type Columns = Readonly<Record<ColumnType, (name: string) => string>>

const quoted = (name: string) => `'${name.replaceAll(/['\\]/g, String.raw`\$&`)}'`
const plain = (type: string) => (name: string) => `${type}(${quoted(name)})`
const given = (type: string, options: string) => (name: string) =>
  `${type}(${quoted(name)}, { ${options} })`

const TEXT = { id: plain('text'), key: plain('text'), text: plain('text') }
const VARCHAR = given('varchar', 'length: 255')
const NUMBERS = { integer: given('bigint', "mode: 'number'"), boolean: plain('boolean') }

const COLUMNS: Readonly<Record<DrizzleDialect, Columns>> = {
  postgres: {
    ...TEXT,
    ...NUMBERS,
    date: given('timestamp', "mode: 'date', withTimezone: true, precision: 3"),
  },
  sqlite: {
    ...TEXT,
    date: given('integer', "mode: 'timestamp_ms'"),
    integer: plain('integer'),
    boolean: given('integer', "mode: 'boolean'"),
  },
  mysql: {
    ...TEXT,
    ...NUMBERS,
    id: VARCHAR,
    key: VARCHAR,
    date: given('datetime', "mode: 'date', fsp: 3"),
  },
}

function columnLine(table: NamedTable, field: string, types: Columns): string {
  const { key, unique = [], columns } = SCHEMA[table.id]
  const column: Column = columns[field] ?? { type: 'text', isNullable: true }
  const rules = [
    key.length === 1 && key[0] === field ? '.primaryKey()' : '',
    column.isNullable || (key[0] === field && key.length === 1) ? '' : '.notNull()',
    unique.includes(field) ? '.unique()' : '',
    field === 'userId' ? ".references(() => users.id, { onDelete: 'cascade' })" : '',
  ]
  return `    ${field}: ${types[column.type](table.columns.get(field) ?? field)}${rules.join('')},`
}

function tableCode(table: NamedTable, dialect: DrizzleDialect): string {
  const { key, indexes = [] } = SCHEMA[table.id]
  const name = (field: string) => table.columns.get(field) ?? field
  const keys =
    key.length > 1
      ? [`primaryKey({ columns: [${key.map((field) => `table.${field}`).join(', ')}] })`]
      : []
  const others = indexes.map(
    (field) => `index(${quoted(`${table.name}_${name(field)}`)}).on(table.${field})`,
  )
  const extras = [...keys, ...others]
  return [
    `export const ${table.id} = ${dialect === 'postgres' ? 'pg' : dialect}Table(`,
    `  ${quoted(table.name)},`,
    '  {',
    ...[...table.columns.keys()].map((field) => columnLine(table, field, COLUMNS[dialect])),
    '  },',
    ...(extras.length > 0
      ? ['  (table) => [', ...extras.map((each) => `    ${each},`), '  ],']
      : []),
    ')',
  ].join('\n')
}

export function drizzleSchema(dialect: DrizzleDialect, names: SchemaNames = {}): string {
  const tables = TABLES.map((id) => tableCode(namedTable(id, names), dialect)).join('\n\n')
  const functions = tables.matchAll(/(?<![.\w])([a-z]\w+)(?=\()/g)
  const imports = [...new Set([...functions].map(([name]) => name))].sort().join(', ')
  const module = `drizzle-orm/${dialect === 'postgres' ? 'pg' : dialect}-core`
  return `import { ${imports} } from '${module}'\n\n${tables}\n`
}
