/** How messages describe a value of the configuration. */

const MAX_LENGTH = 100

/** What kind of value it is, where the value itself may be long or secret. */
export function describeKind(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (Array.isArray(value)) return 'an array'
  return `${/^[aeiou]/.test(typeof value) ? 'an' : 'a'} ${typeof value}`
}

/** A string in quotes, a number as it is, everything else by its kind. */
export function describeValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return describeKind(value)
  return JSON.stringify(value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value)
}

/** A URL without credentials, query and fragment. */
export function describeUrl(text: string): string {
  if (!URL.canParse(text)) return describeValue(text)
  const { origin, protocol, pathname } = new URL(text)
  return describeValue((origin === 'null' ? protocol : origin) + pathname)
}
