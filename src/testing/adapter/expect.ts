import { asRecord } from '../../core/is-record.ts'

/** A result that breaks the contract. The message begins with the method. */
export class Mismatch extends Error {}

const MAX_LENGTH = 250
const MAX_ITEMS = 20

function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]'
}

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isDate(value)
}

export function show(value: unknown): string {
  if (typeof value === 'string')
    return value.length > MAX_LENGTH
      ? `${JSON.stringify(`${value.slice(0, MAX_LENGTH)}…`)} (${value.length} characters)`
      : JSON.stringify(value)
  if (isDate(value))
    return `Date(${Number.isNaN(value.getTime()) ? 'invalid' : value.toISOString()})`
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map(show).join(', ')
    return value.length > MAX_ITEMS ? `[${items}, …] (${value.length} items)` : `[${items}]`
  }
  if (value instanceof Error || !isRow(value)) return String(value)
  const fields = Object.entries(value).map(([field, member]) => `${field}: ${show(member)}`)
  return `{ ${fields.join(', ')} }`
}

export function fail(what: string, expected: string, got: unknown): never {
  throw new Mismatch(`${what}: expected ${expected}, got ${show(got)}.`, { cause: got })
}

/** A field may be omitted where `null` is expected, as some databases do. */
function isSame(got: unknown, expected: unknown): boolean {
  if (isDate(expected)) return isDate(got) && got.getTime() === expected.getTime()
  return Object.is(got ?? null, expected ?? null)
}

function hasFields(got: unknown, expected: object): boolean {
  return Object.entries(expected).every(([field, value]) => isSame(asRecord(got)[field], value))
}

/** Compares the fields of `expected`; of arrays, the rows in any order. */
export function expectMatch(what: string, got: unknown, expected: unknown): void {
  if (Array.isArray(expected)) {
    const isEqual =
      Array.isArray(got) &&
      got.length === expected.length &&
      expected.every((row: object) => got.some((other) => hasFields(other, row)))
    if (!isEqual) fail(what, show(expected), got)
  } else if (isRow(expected) && isRow(got))
    for (const [field, value] of Object.entries(expected))
      expectMatch(`${what}, field ${field}`, got[field], value)
  else if (!isSame(got, expected)) fail(what, show(expected), got)
}

export async function together<T>(
  calls: readonly (() => T)[],
): Promise<PromiseSettledResult<Awaited<T>>[]> {
  return Promise.allSettled(calls.map(async (call) => await call()))
}

export function succeeded<T>(outcomes: readonly PromiseSettledResult<T>[]): T[] {
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}
