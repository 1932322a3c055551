/** The tables as Prisma models. */
import { SCHEMA, TABLES } from '../../adapters/_schema.ts'
import type { ColumnType, TableId } from '../../adapters/_schema.ts'
import type { SqlDialect } from '../database/create-tables.ts'

const TYPES: Readonly<Record<ColumnType, string>> = {
  id: 'String',
  key: 'String',
  text: 'String',
  date: 'DateTime',
  integer: 'Int',
  boolean: 'Boolean',
}

/** For MySQL, where Prisma limits text to 191 characters by default. */
const LENGTHS: Partial<Record<ColumnType, string>> = {
  id: ' @db.VarChar(255)',
  key: ' @db.VarChar(255)',
  text: ' @db.Text',
}

/** `users` → `User` */
function nameOf(id: TableId): string {
  return id.slice(0, 1).toUpperCase() + id.slice(1, -1)
}

function model(id: TableId, lengths: typeof LENGTHS): string {
  const { columns, key, unique = [], indexes = [] } = SCHEMA[id]
  const fields = Object.entries(columns).map(([field, { type, isNullable }]) => {
    const isKey = key.length === 1 && key[0] === field
    const rules = [
      isKey ? ' @id' : '',
      field === 'id' ? ' @default(uuid())' : '',
      unique.includes(field) ? ' @unique' : '',
      lengths[type] ?? '',
    ]
    return `  ${field} ${TYPES[type]}${isNullable ? '?' : ''}${rules.join('')}`
  })
  const others = TABLES.filter((other) => 'userId' in SCHEMA[other].columns)
  const relations =
    id === 'users'
      ? others.map((other) => `  ${other} ${nameOf(other)}[]`)
      : 'userId' in columns
        ? ['  user User @relation(fields: [userId], references: [id], onDelete: Cascade)']
        : []
  const rules = [
    ...(key.length > 1 ? [`  @@id([${key.join(', ')}])`] : []),
    ...indexes.map((field) => `  @@index([${field}])`),
  ]
  return [`model ${nameOf(id)} {`, ...fields, ...relations, ...rules, '}'].join('\n')
}

export function prismaSchema(dialect: SqlDialect = 'postgres'): string {
  const lengths = dialect === 'mysql' || dialect === 'mariadb' ? LENGTHS : {}
  return `${TABLES.map((id) => model(id, lengths)).join('\n\n')}\n`
}
