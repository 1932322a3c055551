/** Reads columns as databases return them; `null` if the value is invalid. */

export function readDate(value: unknown): Date | null {
  const isWritten = typeof value === 'string' || typeof value === 'number'
  const date = isWritten ? new Date(value) : value
  return date instanceof Date && !Number.isNaN(date.getTime()) ? date : null
}

/** Converts an id to a string; some databases use numbers. */
export function readId(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** Some databases return 64-bit integers as `bigint` or text. */
export function readCounter(value: unknown): number | null {
  const counter = typeof value === 'bigint' || typeof value === 'string' ? Number(value) : value
  return typeof counter === 'number' && counter >= 0 ? counter : null
}

/** Some databases have no type for booleans, and return 0 or 1. */
export function readBoolean(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  const number = typeof value === 'bigint' ? Number(value) : value
  return number === 0 || number === 1 ? number === 1 : null
}
