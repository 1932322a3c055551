/** Functions on rows that several adapters share. */
import { idAsText } from './_id.ts'
import type { Fields } from './_methods.ts'

const IDS = ['id', 'userId'] as const
const NUMBERS = ['expires_at', 'counter'] as const

/** Converts ids to strings, and our columns of 64-bit integers to numbers. */
export function plainRow<Row extends object>(row: Row): Row {
  const plain = { ...row }
  for (const field of IDS)
    if (field in row) Reflect.set(plain, field, idAsText(Reflect.get(row, field)))
  for (const field of NUMBERS) {
    const value: unknown = Reflect.get(row, field)
    if (typeof value === 'bigint') Reflect.set(plain, field, Number(value))
  }
  return plain
}

/**
 * Whether these fields have exactly these values: collations that ignore case or accents may match other rows. Values
 * that are missing, despite their type, match nothing.
 */
export function hasFields(row: object, fields: Fields): boolean {
  return Object.entries(fields).every(
    ([field, value]) => typeof value === 'string' && Reflect.get(row, field) === value,
  )
}

/** Applies the changes, except those that are `undefined`. */
export function changedRow<Row extends object>(row: Row, changes: object): Row {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...row, ...Object.fromEntries(given) }
}
