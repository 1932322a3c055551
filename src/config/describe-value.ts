const MAX_LENGTH = 100

/** For values that may be long or secret. */
export function describeKind(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (Array.isArray(value)) return 'an array'
  return `${/^[aeiou]/.test(typeof value) ? 'an' : 'a'} ${typeof value}`
}

export function describeValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return describeKind(value)
  return JSON.stringify(value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value)
}

/** Omits credentials, query and fragment. */
export function describeUrl(text: string): string {
  if (!URL.canParse(text)) return describeValue(text)
  const { origin, protocol, pathname } = new URL(text)
  return describeValue((origin === 'null' ? protocol : origin) + pathname)
}
