/** Checks what code of an application requires of a session: a mistake must not admit a user. */
import type { AuthRequirement } from '../assurance/assured.ts'
import type { ResolvedConfig } from '../contracts.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import { isRecord } from '../is-record.ts'
import { describeValue, mismatch } from './describe-value.ts'

const NAMES: ReadonlySet<string> = new Set<keyof AuthRequirement>(['level', 'maxAge', 'acr'])

/** Seconds: longer than any browser keeps a cookie. */
const LONGEST = 400 * 24 * 60 * 60
const MAX_CONTEXTS = 10
/** What `acr_values` can contain: a list that is separated by spaces (OpenID Connect Core §3.1.2.1). */
const CONTEXT = /^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/

function isContextList(acr: unknown): acr is readonly string[] {
  const isContext = (each: unknown) => typeof each === 'string' && CONTEXT.test(each)
  return Array.isArray(acr) && acr.length > 0 && acr.length <= MAX_CONTEXTS && acr.every(isContext)
}

function* problems(caller: string, given: Record<string, unknown>): Iterable<string> {
  const { level, maxAge, acr } = given
  for (const name of Object.keys(given))
    if (!NAMES.has(name)) yield `${name} is not an option of ${caller}. Set level, maxAge or acr.`
    // A setting that is missing must not admit everyone.
    else if (given[name] === undefined)
      yield `${name} of ${caller} is undefined. Set it, or leave it out.`
  if (level !== undefined && level !== 1 && level !== 2)
    yield mismatch(`level of ${caller}`, '1 or 2', level)
  const isAge = typeof maxAge === 'number' && maxAge >= 1 && maxAge <= LONGEST
  if (maxAge !== undefined && !isAge)
    yield mismatch(`maxAge of ${caller}`, `a number of seconds from 1 to ${LONGEST}`, maxAge)
  if (acr !== undefined && !isContextList(acr))
    yield `${mismatch(`acr of ${caller}`, `a list of 1 to ${MAX_CONTEXTS} values without spaces`, acr)} Write ['urn:example:mfa'].`
}

/** Others, such as a promise that was not awaited or a Map, have no options that could be read. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // That of another realm, too.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** @param caller - the function of the application, such as `requireAuth` */
export function parseRequirement(caller: string, given: unknown): AuthRequirement {
  if (given === undefined) return {}
  if (!isPlainObject(given))
    throw new InvalidConfiguration(
      `The requirement of ${caller} is not an object (got ${given instanceof Promise ? 'a promise; await it' : describeValue(given)}). Write { maxAge: 900 }.`,
    )
  const found = [...problems(caller, given)]
  if (found.length > 0) throw new InvalidConfiguration(found.join(' '))
  const { level, maxAge, acr }: AuthRequirement = given
  return {
    ...(level !== undefined && { level }),
    ...(maxAge !== undefined && { maxAge }),
    ...(acr !== undefined && { acr: [...acr] }),
  }
}

/** What sessions do not keep is never met. @throws InvalidConfiguration */
export function checkKept(
  caller: string,
  requirement: AuthRequirement,
  { assurance }: Pick<ResolvedConfig, 'assurance'>,
): void {
  const needed = Object.keys(requirement).filter(
    (name) => assurance === 'none' || (assurance === 'time' && name !== 'maxAge'),
  )
  if (needed.length > 0)
    throw new InvalidConfiguration(
      `${caller} requires ${needed.join(' and ')}, which sessions ${assurance === 'none' ? 'in the database ' : ''}do not keep. Set session.assurance: 'kept'; users then have to sign in once more.`,
    )
}
