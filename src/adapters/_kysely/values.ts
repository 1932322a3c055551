/** Values as the database has them, and as the library has them. */
import type { ColumnType } from '../_schema.ts'

/** How ids of users are stored. */
export type IdType = 'text' | 'uuid' | 'integer'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const INTEGER = /^\d{1,15}$/

/** An id as it is stored; `null` for a text that cannot be one, and that the database would not compare with one. */
export function storedId(id: string, type: IdType): string | number | null {
  if (type === 'integer') return INTEGER.test(id) ? Number(id) : null
  return type === 'text' || UUID.test(id) ? id : null
}

/** A value of a column as it was read. */
export function readValue(value: unknown, type: ColumnType | undefined): unknown {
  if (value === null || value === undefined || type === undefined) return value
  if (type === 'date' && (typeof value === 'string' || typeof value === 'number'))
    return new Date(value)
  if (type === 'boolean') return Boolean(value)
  if (type === 'integer') return Number(value)
  return type === 'id' && (typeof value === 'number' || typeof value === 'bigint')
    ? String(value)
    : value
}
