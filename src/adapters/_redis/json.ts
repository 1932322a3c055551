/** Rows as texts; dates come back as dates. */

const DATE = '$date'

/** For `JSON.parse` of what {@link stringify} wrote. */
export function revive(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !(DATE in value)) return value
  const { [DATE]: time } = value
  return typeof time === 'number' ? new Date(time) : value
}

/** Dates, which `toJSON` would turn into texts before anybody sees them. */
function marked(value: unknown): unknown {
  if (value instanceof Date) return { [DATE]: value.getTime() }
  if (Array.isArray(value)) return value.map(marked)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, marked(each)]))
}

/** The text of a row. */
export function stringify(row: object): string {
  return JSON.stringify(marked(row))
}
