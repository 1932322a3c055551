/** Rejects calls that the types forbid and JavaScript allows. */
import { isPromise } from '../../core/async/awaitable.ts'
import { describeKind } from '../../core/config/describe-value.ts'
import { isPlainObject, parseRequirement } from '../../core/config/requirement.ts'
import { InvalidConfiguration } from '../../core/errors/classes.ts'
import { isRecord } from '../../core/is-record.ts'

/** Rejects a missing configuration at the call of the application, not at the first request. */
export function requireConfig(given: unknown): void {
  if (isRecord(given) && !isPromise(given)) return
  const kind = isPromise(given) ? 'a promise' : describeKind(given)
  throw new InvalidConfiguration(
    `The configuration of Lib is ${kind}. Write Lib({ providers: [GitHub] }) or Lib(async () => config).`,
  )
}

/**
 * Rejects `protect` in the place of its result: a framework would pass it a request, and wait for it forever.
 *
 * @param rest - the arguments after the options
 */
export function rejectUncalled(rest: readonly unknown[]): void {
  if (rest.length > 0)
    throw new InvalidConfiguration(
      'protect was used as a handler, but returns one. Call it: protect() instead of protect.',
    )
}

/** Rejects middleware that a page calls itself: after a rejected request, the page would continue. */
export function requireNext(next: unknown): void {
  if (typeof next !== 'function')
    throw new InvalidConfiguration(
      'The handler of protect() was called without next. Pass it to the route, before the page: get(path, lib.protect(), page).',
    )
}

/** Rejects a call such as `auth()` or `handler()` on servers whose functions receive the request. */
export function requireRequest(request: unknown): void {
  if (!isRecord(request))
    throw new InvalidConfiguration(
      `A function of Lib was called without a request (got ${describeKind(request)}). Pass what the framework passes to your handler, as in lib.auth(req, res); pass a handler without calling it, as in use(lib.handler).`,
    )
}

/** Rejects options that would be ignored, and admit every signed-in user. */
export function requireProtectOptions(options: unknown): void {
  const example = 'Write protect with { allow: (session) => … } or { requires: { maxAge: 900 } }'
  if (!isPlainObject(options))
    throw new InvalidConfiguration(
      `The options of protect are ${isPromise(options) ? 'a promise' : describeKind(options)}. ${example}.`,
    )
  for (const name of Object.keys(options))
    if (name !== 'allow' && name !== 'requires')
      throw new InvalidConfiguration(`${name} is not an option of protect. ${example}.`)
  const { allow, requires } = options
  if ('allow' in options && typeof allow !== 'function')
    throw new InvalidConfiguration(
      `allow of protect is not a function (got ${describeKind(allow)}). ${example}.`,
    )
  if (
    'requires' in options &&
    Object.keys(parseRequirement('protect({ requires })', requires)).length === 0
  )
    throw new InvalidConfiguration(
      `requires of protect requires nothing (got ${describeKind(requires)}). ${example}.`,
    )
}
