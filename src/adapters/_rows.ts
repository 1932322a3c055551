import type { Fields } from './_methods.ts'
import { SCHEMA } from './_schema.ts'
import type { TableId } from './_schema.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const INTEGER_ID = /^(?:0|[1-9]\d{0,18})$/
const MAX_INTEGER_ID = 2n ** 63n - 1n
const ID_FIELDS = ['id', 'userId'] as const
const NUMBER_FIELDS = ['expires_at', 'counter', 'lastStep'] as const

export function isUuid(id: string): boolean {
  return UUID.test(id)
}

/** Parses the id of an integer column; `null` if such a column cannot contain it. */
export function parseIntegerId(id: string): number | bigint | null {
  const exact = INTEGER_ID.test(id) ? BigInt(id) : -1n
  if (exact < 0n || exact > MAX_INTEGER_ID) return null
  return exact > Number.MAX_SAFE_INTEGER ? exact : Number(exact)
}

/** @throws Error when the driver has rounded the id, because it would identify another user */
export function idAsText(id: unknown): unknown {
  if (typeof id === 'bigint') return String(id)
  if (typeof id !== 'number') return id
  if (Number.isSafeInteger(id)) return String(id)
  throw new Error(
    `The driver rounded the id ${id}, which exceeds Number.MAX_SAFE_INTEGER. Configure it to return such ids as strings or bigint: { supportBigNumbers: true } with mysql2, defaultSafeIntegers() with better-sqlite3, { mode: 'bigint' } for a column of Drizzle.`,
  )
}

/** The value of a field that the type of the row does not name. */
export function readField(row: object, field: string): unknown {
  return (row as Readonly<Record<string, unknown>>)[field]
}

/** Converts ids to strings, and our columns of 64-bit integers to numbers. */
export function plainRow<Row extends object>(row: Row): Row {
  const changed: Record<string, unknown> = {}
  for (const field of ID_FIELDS) if (field in row) changed[field] = idAsText(readField(row, field))
  for (const field of NUMBER_FIELDS) {
    const value = readField(row, field)
    if (typeof value === 'bigint') changed[field] = Number(value)
  }
  return { ...row, ...changed }
}

/** Compares exactly: collations may ignore case or accents. A value missing despite its type matches nothing. */
export function hasFields(row: object, fields: Fields): boolean {
  return Object.entries(fields).every(
    ([field, value]) => typeof value === 'string' && readField(row, field) === value,
  )
}

export function formatKey(id: TableId, row: object): string {
  const parts = SCHEMA[id].key.map((field) => String(readField(row, field)))
  return parts.length === 1 ? String(parts[0]) : JSON.stringify(parts)
}

/** The fields that are not `undefined` and, if `columns` is given, that have a column in it. */
export function givenFields(row: object, columns?: object): Record<string, unknown> {
  const given = Object.entries(row).filter(
    ([field, value]) => value !== undefined && (!columns || field in columns),
  )
  return Object.fromEntries(given)
}
