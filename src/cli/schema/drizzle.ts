/** The tables as a Drizzle module. */
import { SCHEMA, namedTable } from '../../adapters/_schema.ts'
import type {
  Column,
  ColumnType,
  NamedTable,
  SchemaNames,
  TableId,
} from '../../adapters/_schema.ts'

export type DrizzleDialect = 'sqlite' | 'postgres' | 'mysql'

type Written = Readonly<Record<ColumnType, (name: string) => string>>

/** The functions of a dialect. */
interface Writing {
  readonly module: string
  readonly table: string
  readonly columns: Written
}

const quoted = (name: string) => `'${name.replaceAll(/['\\]/g, String.raw`\$&`)}'`
const plain = (type: string) => (name: string) => `${type}(${quoted(name)})`
const given = (type: string, options: string) => (name: string) =>
  `${type}(${quoted(name)}, { ${options} })`

const WRITINGS: Readonly<Record<DrizzleDialect, Writing>> = {
  postgres: {
    module: 'drizzle-orm/pg-core',
    table: 'pgTable',
    columns: {
      id: plain('text'),
      key: plain('text'),
      text: plain('text'),
      date: given('timestamp', "mode: 'date', withTimezone: true, precision: 3"),
      integer: given('bigint', "mode: 'number'"),
      boolean: plain('boolean'),
    },
  },
  sqlite: {
    module: 'drizzle-orm/sqlite-core',
    table: 'sqliteTable',
    columns: {
      id: plain('text'),
      key: plain('text'),
      text: plain('text'),
      date: given('integer', "mode: 'timestamp_ms'"),
      integer: plain('integer'),
      boolean: given('integer', "mode: 'boolean'"),
    },
  },
  mysql: {
    module: 'drizzle-orm/mysql-core',
    table: 'mysqlTable',
    columns: {
      id: given('varchar', 'length: 255'),
      key: given('varchar', 'length: 255'),
      text: plain('text'),
      date: given('datetime', "mode: 'date', fsp: 3"),
      integer: given('bigint', "mode: 'number'"),
      boolean: plain('boolean'),
    },
  },
}

/** The exported names, in the order of their foreign keys. */
const TABLES: readonly TableId[] = [
  'users',
  'accounts',
  'sessions',
  'verificationTokens',
  'authenticators',
]

function columnLine(table: NamedTable, field: string, writing: Writing): string {
  const { key, unique = [], columns } = SCHEMA[table.id]
  const column: Column = columns[field] ?? { type: 'text', isNullable: true }
  const rules = [
    key.length === 1 && key[0] === field ? '.primaryKey()' : '',
    column.isNullable || (key[0] === field && key.length === 1) ? '' : '.notNull()',
    unique.includes(field) ? '.unique()' : '',
    field === 'userId' ? ".references(() => users.id, { onDelete: 'cascade' })" : '',
  ]
  return `    ${field}: ${writing.columns[column.type](table.columns.get(field) ?? field)}${rules.join('')},`
}

function tableCode(table: NamedTable, writing: Writing): string {
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
    `export const ${table.id} = ${writing.table}(`,
    `  ${quoted(table.name)},`,
    '  {',
    ...[...table.columns.keys()].map((field) => columnLine(table, field, writing)),
    '  },',
    ...(extras.length > 0
      ? ['  (table) => [', ...extras.map((each) => `    ${each},`), '  ],']
      : []),
    ')',
  ].join('\n')
}

export function drizzleSchema(dialect: DrizzleDialect, names: SchemaNames = {}): string {
  const writing = WRITINGS[dialect]
  const tables = TABLES.map((id) => tableCode(namedTable(id, names), writing)).join('\n\n')
  const used = [
    ...new Set(
      tables.match(
        /\b(?:bigint|boolean|datetime|index|integer|primaryKey|text|timestamp|varchar)(?=\()/g,
      ),
    ),
  ]
  const imports = [...used, writing.table].sort().join(', ')
  return `import { ${imports} } from '${writing.module}'\n\n${tables}\n`
}
