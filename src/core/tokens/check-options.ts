import { mismatch } from '../config/describe-value.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import type { AccessTokenOptions } from './options.ts'

/** Seconds: a day. A longer one would refresh every token at each call. */
const MAX_VALIDITY = 24 * 60 * 60

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function* optionProblems(options: unknown): Iterable<string> {
  if (typeof options !== 'object' || options === null) {
    yield mismatch('The last argument of getAccessToken', 'an object', options)
    return
  }
  const given: { readonly [O in keyof AccessTokenOptions]: unknown } = options
  const { scope, minValidity: seconds, account, refresh = 'when-due' } = given
  if (scope !== undefined && !(Array.isArray(scope) && scope.every((each) => isText(each))))
    yield `${mismatch('scope', 'a list of texts', scope)} Write ['calendar'].`
  const isValid = typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_VALIDITY
  if (seconds !== undefined && !isValid)
    yield mismatch('minValidity', `a number of seconds from 0 to ${MAX_VALIDITY}`, seconds)
  if (!isText(account)) yield mismatch('account', 'the id of an account, a text', account)
  if (refresh !== 'when-due' && refresh !== 'now')
    yield mismatch('refresh', '"when-due" or "now"', refresh)
}

/** @throws InvalidConfiguration, which names the option */
export function checkOptions(options: AccessTokenOptions): void {
  for (const problem of optionProblems(options)) throw new InvalidConfiguration(problem)
}
