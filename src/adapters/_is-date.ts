/** ISO 8601 with a time zone, to the minute or finer. */
const DATE_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/

/**
 * Whether a value is a string in ISO 8601 with a time zone, such as `2026-05-04T03:02:01.000Z`. For databases without a
 * date type, whose adapters convert strings to `Date`. Use it for date columns only: a user name can have this format.
 */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value))
}
