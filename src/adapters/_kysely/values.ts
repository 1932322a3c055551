import { countedId, idAsText, isUuid } from '../_id.ts'
import type { ColumnType } from '../_schema.ts'

/** Type of user ids in the database. */
export type IdType = 'text' | 'uuid' | 'integer'

/** Converts a user id to its column type; `null` if the text cannot be such an id. */
export function encodeId(id: string, type: IdType): string | number | bigint | null {
  if (type === 'integer') return countedId(id)
  return type === 'text' || isUuid(id) ? id : null
}

export function decodeValue(value: unknown, type: ColumnType | undefined): unknown {
  if (value === null || value === undefined || type === undefined) return value
  if (type === 'date' && (typeof value === 'string' || typeof value === 'number'))
    return new Date(value)
  if (type === 'boolean') return Boolean(value)
  if (type === 'integer') return Number(value)
  return type === 'id' ? idAsText(value) : value
}
