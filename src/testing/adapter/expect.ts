import { Mismatch } from './case.ts'
import type { Report } from './case.ts'

function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]'
}

function show(value: unknown): string {
  if (isDate(value))
    return `Date(${Number.isNaN(value.getTime()) ? 'invalid' : value.toISOString()})`
  if (value instanceof Error) return String(value)
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value)
  return `{ ${Object.entries(value)
    .map(([key, member]) => `${key}: ${show(member)}`)
    .join(', ')} }`
}

/** Some databases omit columns that are `null`. */
function isSame(got: unknown, expected: unknown): boolean {
  if (isDate(expected)) return isDate(got) && got.getTime() === expected.getTime()
  return Object.is(got ?? null, expected ?? null)
}

/** `what` begins with the name of the method. */
export function fail(what: string, expected: string, got: unknown): never {
  throw new Mismatch(`${what}: expected ${expected}, got ${show(got)}.`)
}

export function expectValue(what: string, got: unknown, expected: unknown): void {
  if (!isSame(got, expected)) fail(what, show(expected), got)
}

export function expectNull(what: string, got: unknown): void {
  if (got !== null) fail(what, 'null', got)
}

export function expectRow(what: string, got: unknown, expected: object): void {
  if (typeof got !== 'object' || got === null) fail(what, show(expected), got)
  for (const [field, value] of Object.entries(expected))
    expectValue(`${what}, field ${field}`, Reflect.get(got, field), value)
}

export function expectKeys(
  what: string,
  got: readonly unknown[],
  key: string,
  expected: readonly string[],
): void {
  if (!Array.isArray(got)) fail(what, 'an array', got)
  const keys = got.map((row: unknown): unknown => Reflect.get(Object(row), key))
  if (keys.length !== expected.length || !expected.every((each) => keys.includes(each)))
    fail(what, show(expected), keys)
}

export async function expectThrow(what: string, call: () => unknown): Promise<void> {
  const [outcome] = await together([call])
  if (outcome?.status !== 'rejected') fail(what, 'an error', outcome?.value)
}

export async function preferNoThrow(
  what: string,
  call: () => unknown,
  report: Report,
): Promise<void> {
  const [outcome] = await together([call])
  if (outcome?.status === 'rejected') report(`${what}: it should be no error (${outcome.reason}).`)
}

export async function together<T>(
  calls: readonly (() => T)[],
): Promise<PromiseSettledResult<Awaited<T>>[]> {
  return Promise.allSettled(calls.map(async (call) => await call()))
}

export function succeeded<T>(outcomes: readonly PromiseSettledResult<T>[]): T[] {
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}
