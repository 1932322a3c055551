/** Values that a site in `workerd` and the test with its configuration send to each other as JSON. */

/** A function of a configuration. */
export type Run = (...args: readonly unknown[]) => unknown

const isData = (value: object) =>
  Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value))

/**
 * Encodes a value.
 *
 * @param describe - what is sent for a function; without it, functions are left out, as requests always are
 */
export function encode(
  value: unknown,
  describe?: (run: Run, name: string) => Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify({ value }, function encodeMember(this: object, name: string) {
    // The second argument is what `toJSON` of a date returns.
    const member: unknown = Reflect.get(this, name)
    if (typeof member === 'function')
      return describe?.((...args) => Reflect.apply(member, undefined, args), name)
    if (typeof member !== 'object' || member === null) return member
    if (member instanceof Request) return undefined
    if (member instanceof Date) return { $date: member.getTime() }
    if (member instanceof Error) return { $error: member.message, name: member.name }
    if (isData(member)) return member
    throw new TypeError(`${name} cannot be sent: ${Object.prototype.toString.call(member)}`)
  })
}

/** What {@link encode} has encoded. */
export interface Decoded<T> {
  readonly value: T
}

/**
 * Restores what {@link encode} replaces, in `JSON.parse`.
 *
 * @param restore - makes the function for a number that `describe` has sent
 */
export const decoder = (restore?: (id: number) => Run) => (_: string, value: unknown) => {
  if (typeof value !== 'object' || value === null) return value
  if ('$date' in value) return new Date(Number(value.$date))
  if ('$error' in value)
    return Object.assign(new Error(String(value.$error)), { name: Reflect.get(value, 'name') })
  if ('$function' in value) return restore?.(Number(value.$function))
  return '$returns' in value ? () => value.$returns : value
}
