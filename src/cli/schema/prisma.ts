/** The tables as Prisma writes them. */
import { SCHEMA } from '../../adapters/_schema.ts'
import type { ColumnType, TableId } from '../../adapters/_schema.ts'

const TYPES: Readonly<Record<ColumnType, string>> = {
  id: 'String',
  key: 'String',
  text: 'String',
  date: 'DateTime',
  integer: 'Int',
  boolean: 'Boolean',
}

/** The models, by what they hold. */
const MODELS: readonly (readonly [id: TableId, name: string])[] = [
  ['users', 'User'],
  ['accounts', 'Account'],
  ['sessions', 'Session'],
  ['verificationTokens', 'VerificationToken'],
  ['authenticators', 'Authenticator'],
]

function model(id: TableId, name: string): string {
  const { columns, key, unique = [], indexes = [] } = SCHEMA[id]
  const fields = Object.entries(columns).map(([field, { type, isNullable }]) => {
    const isKey = key.length === 1 && key[0] === field
    const rules = [isKey ? ' @id' : '', unique.includes(field) ? ' @unique' : '']
    return `  ${field} ${TYPES[type]}${isNullable ? '?' : ''}${rules.join('')}`
  })
  const others = MODELS.filter(([other]) => other !== 'users' && 'userId' in SCHEMA[other].columns)
  const relations =
    id === 'users'
      ? others.map(([other, each]) => `  ${other} ${each}[]`)
      : 'userId' in columns
        ? ['  user User @relation(fields: [userId], references: [id], onDelete: Cascade)']
        : []
  const rules = [
    ...(key.length > 1 ? [`  @@id([${key.join(', ')}])`] : []),
    ...indexes.map((field) => `  @@index([${field}])`),
  ]
  return [`model ${name} {`, ...fields, ...relations, ...rules, '}'].join('\n')
}

/** The models, for `schema.prisma`. */
export function prismaSchema(): string {
  return `${MODELS.map(([id, name]) => model(id, name)).join('\n\n')}\n`
}
