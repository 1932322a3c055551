const DATE = '$date'

/** Properties of the application that look like the marker; each is escaped with another `$`. */
const LIKE_DATE = /^\$+date$/

function renameKeys(
  object: object,
  rename: (key: string) => string,
  each = (value: unknown) => value,
) {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      LIKE_DATE.test(key) ? rename(key) : key,
      each(value),
    ]),
  )
}

export function revive(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (DATE in value && typeof value[DATE] === 'number') return new Date(value[DATE])
  return Object.keys(value).some((key) => LIKE_DATE.test(key))
    ? renameKeys(value, (key) => key.slice(1))
    : value
}

/** Marks dates before `toJSON` turns them into strings. */
function markDates(value: unknown): unknown {
  if (value instanceof Date) return { [DATE]: value.getTime() }
  if (Array.isArray(value)) return value.map(markDates)
  if (typeof value !== 'object' || value === null) return value
  return renameKeys(value, (key) => `$${key}`, markDates)
}

export function stringify(row: object): string {
  return JSON.stringify(markDates(row))
}
