/** Calls the adapter of the application: within a time, and with its faults named. */
import type { Adapter } from '../adapters/index.ts'
import { isPromise } from '../awaitable.ts'
import { LIMITS, within } from '../deadline.ts'
import { AuthError } from '../errors/base.ts'
import { MissingAdapterMethods } from '../errors/configuration.ts'
import { AdapterError } from '../errors/session.ts'
import { conceal } from '../log/conceal.ts'
import type { Logger } from '../log/logger.ts'
import type { Awaitable } from '../types.ts'

/** What a call depends on besides the adapter. */
export interface CallContext {
  readonly config: { readonly log: Logger }
  /** In milliseconds since the epoch. */
  readonly deadline: number
}

/** One call of a method. */
export interface Call<Row, Result> {
  readonly method: keyof Adapter
  /** What the method is told. Databases quote it in their errors, so it is kept out of ours. */
  readonly told: object
  readonly run: (adapter: Adapter) => Awaitable<Row> | undefined
  /** Makes of the answer what was asked for; `undefined` is "none", like `null`. */
  readonly read: (row: NonNullable<Row> | null, method: string) => Result
  /** Whether what was read is what was asked for: databases with case-insensitive collations return other rows. */
  readonly matches?: (result: NonNullable<Result>) => boolean
  /** Takes back what is done after the deadline; the context has a deadline of its own. */
  readonly undo?: (ctx: CallContext, row: Row) => Promise<unknown>
  /** Milliseconds. @default 5000 */
  readonly limit?: number
}

/** What names a row; the rest may be whatever a database takes. */
const KEYS: ReadonlySet<string> = new Set([
  'id',
  'email',
  'userId',
  'provider',
  'providerAccountId',
  'sessionToken',
  'identifier',
  'token',
])
const ASKS = /^(?:get|use|delete|unlink)/

/**
 * Whether a key is no text for a database: NUL ends it in some and is an error in others, and halves of a pair of
 * surrogates all become the same character.
 */
function isNoKey(value: unknown): boolean {
  return typeof value === 'string' && (value.includes('\0') || /\p{Surrogate}/u.test(value))
}

/** Whether any key is none; a list has nothing but keys. */
function hasNoKey(told: object): boolean {
  if (Array.isArray(told)) return told.some(isNoKey)
  return Object.entries(told).some(([name, value]) => KEYS.has(name) && isNoKey(value))
}

/** Takes back a call that was too late; the request has been answered already. */
async function takeBack<Row>(
  { config }: CallContext,
  work: PromiseLike<Row>,
  undo: (ctx: CallContext, row: Row) => Promise<unknown>,
): Promise<void> {
  try {
    await undo({ config, deadline: Infinity }, await work)
  } catch (error) {
    // The call itself failed at last: there is nothing to take back.
    if (error instanceof AdapterError) config.log.error(error)
  }
}

/**
 * What a method of the adapter answers.
 *
 * @throws AdapterError when it throws, takes too long, or answers something else
 * @throws MissingAdapterMethods when the adapter does not have it
 */
export async function call<Row, Result>(
  ctx: CallContext,
  adapter: Adapter,
  { method, told, run, read, matches, undo, limit = LIMITS.adapter }: Call<Row, Result>,
): Promise<Result> {
  if (typeof adapter[method] !== 'function')
    throw new MissingAdapterMethods(
      `The adapter has no method ${method}, which this request needs.`,
    )
  ctx.config.log.debug?.(`adapter_${method}`)
  const what = `The adapter method ${method}`
  if (hasNoKey(told)) {
    if (ASKS.test(method)) return read(null, method)
    throw new AdapterError(
      `${what} was called with a key that databases cannot store (NUL or a lone surrogate).`,
      { method },
    )
  }
  try {
    const begun = run(adapter)
    // Once: what query builders return begins anew with every `then`.
    const work = undo && begun && isPromise(begun) ? Promise.resolve(begun) : begun
    const tooLate = (message: string) => {
      if (undo && work && isPromise(work)) void takeBack(ctx, work, undo)
      return new AdapterError(message, { method })
    }
    const row = await within(work, { what, limit, deadline: ctx.deadline, tooLate })
    const result = read(row ?? null, method)
    if (!matches || result === null || result === undefined || matches(result)) return result
    ctx.config.log.warnOnce(
      'adapter-other-row',
      `${what} returned a row that was not asked for, which is ignored. Give keys and addresses a collation that tells upper and lower case apart.`,
    )
    return read(null, method)
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    const known = cause instanceof Error ? conceal(cause, told) : undefined
    throw new AdapterError(`${what} failed.`, { ...(known && { cause: known }), method })
  }
}
