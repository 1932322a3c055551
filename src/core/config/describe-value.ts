const MAX_LENGTH = 100

/** For values that may be long or secret. */
export function describeKind(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (Array.isArray(value)) return 'an array'
  return `${/^[aeiou]/.test(typeof value) ? 'an' : 'a'} ${typeof value}`
}

/** Omits credentials, query and fragment of a URL. */
export function describeValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return describeKind(value)
  const [, scheme, rest = ''] = /^([a-z][\w+.-]*:[\\/]*)(.*)$/is.exec(value) ?? []
  const text = scheme ? scheme + rest.replace(/[?#].*$/s, '').replace(/^[^\\/]*@/, '') : value
  return JSON.stringify(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)
}

export function mismatch(option: string, expected: string, value: unknown): string {
  return `${option} is not ${expected} (got ${describeValue(value)}).`
}
