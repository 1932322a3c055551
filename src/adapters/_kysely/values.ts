/** Values as the database has them, and as the library has them. */
import { countedId, idAsText, isUuid } from '../_id.ts'
import type { ColumnType } from '../_schema.ts'

/** How ids of users are stored. */
export type IdType = 'text' | 'uuid' | 'integer'

/** An id as it is stored; `null` for a text that cannot be one, and that the database would not compare with one. */
export function storedId(id: string, type: IdType): string | number | bigint | null {
  if (type === 'integer') return countedId(id)
  return type === 'text' || isUuid(id) ? id : null
}

/** A value of a column as it was read. */
export function readValue(value: unknown, type: ColumnType | undefined): unknown {
  if (value === null || value === undefined || type === undefined) return value
  if (type === 'date' && (typeof value === 'string' || typeof value === 'number'))
    return new Date(value)
  if (type === 'boolean') return Boolean(value)
  if (type === 'integer') return Number(value)
  return type === 'id' ? idAsText(value) : value
}
