import type { Adapter } from '../adapters/index.ts'
import { isPromise } from '../awaitable.ts'
import { LIMITS, within } from '../deadline.ts'
import { AuthError } from '../errors/base.ts'
import { MissingAdapterMethods } from '../errors/configuration.ts'
import { AdapterError } from '../errors/session.ts'
import { redactError } from '../log/redact-error.ts'
import type { Logger } from '../log/logger.ts'
import type { Awaitable } from '../types.ts'

export interface CallContext {
  readonly config: { readonly log: Logger }
  /** In milliseconds since the epoch. */
  readonly deadline: number
}

export interface Call<Row, Result> {
  readonly method: keyof Adapter
  /** Arguments of the method, redacted from errors: databases quote them. */
  readonly told: object
  readonly run: (adapter: Adapter) => Awaitable<Row> | undefined
  readonly read: (row: NonNullable<Row> | null, method: string) => Result
  /** Whether the row matches the key: case-insensitive collations may return another one. */
  readonly matches?: (result: NonNullable<Result>) => boolean
  /** Reverts a call that finished after its deadline; gets a context without a deadline. */
  readonly undo?: (ctx: CallContext, row: Row) => Promise<unknown>
  /** Milliseconds. @default 5000 */
  readonly limit?: number
}

/** Columns that identify a row. Other columns may contain any text. */
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

/** Some databases truncate at NUL, others reject it, and lone surrogates all become the same character. */
function isNoKey(value: unknown): boolean {
  return typeof value === 'string' && (value.includes('\0') || /\p{Surrogate}/u.test(value))
}

function hasNoKey(told: object): boolean {
  if (Array.isArray(told)) return told.some(isNoKey)
  return Object.entries(told).some(([name, value]) => KEYS.has(name) && isNoKey(value))
}

async function takeBack<Row>(
  { config }: CallContext,
  work: PromiseLike<Row>,
  undo: (ctx: CallContext, row: Row) => Promise<unknown>,
): Promise<void> {
  try {
    await undo({ config, deadline: Infinity }, await work)
  } catch (error) {
    // If the call itself failed, there is nothing to revert.
    if (error instanceof AdapterError) config.log.error(error)
  }
}

/** Calls an adapter method. Throws AdapterError if it throws, times out or returns an invalid row. */
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
    // Converted to one promise: query builders run the query again at each `then`.
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
    const known = redactError(cause, told)
    throw new AdapterError(`${what} failed.`, { ...(known && { cause: known }), method })
  }
}
