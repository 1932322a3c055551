import { describeKind, describeValue, mismatch } from '../config/describe-value.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import { isRecord } from '../is-record.ts'
import type { AccessTokenOptions, RequestScopesOptions } from './options.ts'

/** Seconds: a day. A longer one would refresh every token at each call. */
const MAX_VALIDITY = 24 * 60 * 60

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function isScopeList(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function* optionProblems(caller: string, options: unknown): Iterable<string> {
  if (!isRecord(options)) {
    yield `The options of ${caller} are not an object (got ${describeKind(options)}). Write { scope: ['calendar'] }.`
    return
  }
  const name = (option: string) => `The option ${option} of ${caller}`
  const given: { readonly [O in keyof AccessTokenOptions]: unknown } = options
  const { scope, minValidity: seconds, account, refresh = 'when-due' } = given
  if (scope !== undefined && !isScopeList(scope))
    yield `${mismatch(name('scope'), 'a list of strings', scope)} Write ['calendar'].`
  const isValid = typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_VALIDITY
  if (seconds !== undefined && !isValid)
    yield mismatch(name('minValidity'), `a number of seconds from 0 to ${MAX_VALIDITY}`, seconds)
  if (!isText(account)) yield mismatch(name('account'), 'the id of an account, a string', account)
  if (refresh !== 'when-due' && refresh !== 'now')
    yield mismatch(name('refresh'), '"when-due" or "now"', refresh)
}

/** The arguments of `requestScopes`. @throws InvalidConfiguration */
export function checkScopes(
  provider: string,
  scopes: readonly string[],
  options: RequestScopesOptions,
): void {
  const given: unknown = scopes
  if (!isScopeList(given))
    throw new InvalidConfiguration(
      `The scopes of requestScopes are not a list of strings (got ${describeValue(given)}). Write requestScopes('${provider}', ['calendar']).`,
    )
  if (!isRecord(options))
    throw new InvalidConfiguration(
      `The options of requestScopes are not an object (got ${describeValue(options)}). Write { redirectTo: '/calendar' }.`,
    )
  const { account } = options
  checkOptions('requestScopes', account === undefined ? {} : { account })
}

/** @throws InvalidConfiguration, which names the option */
export function checkOptions(caller: string, options: unknown): void {
  for (const problem of optionProblems(caller, options)) throw new InvalidConfiguration(problem)
}
