/** ISO 8601, to the minute or finer, and with a time zone: what `Date` writes as JSON, and databases as text. */
const DATE_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/

/**
 * Whether a value is the text of a date, such as `2026-05-04T03:02:01.000Z`. For adapters whose database has no type
 * for dates: what it returns has to become a `Date` again. A name that somebody gave themselves can look like one, so
 * ask it of columns that hold dates.
 *
 * @example
 * ```ts
 * import { isDate } from 'lib-auth/adapters'
 *
 * export const toDate = (value: unknown) => (isDate(value) ? new Date(value) : value)
 * ```
 */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value))
}
