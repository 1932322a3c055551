import type { Adapter } from '../adapters/index.ts'
import { isPromise } from '../awaitable.ts'
import { TIMEOUTS, withTimeout } from '../timeout.ts'
import { AuthError } from '../errors/base.ts'
import { MissingAdapterMethods } from '../errors/configuration.ts'
import { AdapterError } from '../errors/session.ts'
import type { Logger } from '../log/logger.ts'
import { redactError } from '../log/redact-error.ts'
import type { Awaitable } from '../types.ts'
import { METHODS } from './methods.ts'
import type { AdapterMethods, Arguments, Method, Result, Row, Rules } from './methods.ts'

export interface CallContext {
  readonly config: { readonly log: Logger }
  /** In milliseconds since the epoch. */
  readonly deadline: number
}

export interface Call<M extends Method> {
  readonly method: M
  readonly args: Arguments<M>
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
/** A lookup with a key that cannot be stored finds nothing. */
const LOOKUP = /^(?:get|use|delete|unlink)/

/** Some databases truncate at NUL, others reject it, and lone surrogates all become the same character. */
function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || !(value.includes('\0') || /\p{Surrogate}/u.test(value))
}

function hasStorableKeys(args: readonly unknown[]): boolean {
  return args.every((value) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).every(([name, column]) => !KEYS.has(name) || isStorable(column))
      : isStorable(value),
  )
}

/** Throws if the adapter lacks the method. */
export function announceCall(ctx: CallContext, adapter: Adapter, method: keyof Adapter): void {
  if (typeof adapter[method] !== 'function')
    throw new MissingAdapterMethods(
      `The adapter has no method ${method}, which this request needs.`,
    )
  ctx.config.log.debug?.(`adapter_${method}`)
}

/** Wraps an error of the adapter. Databases quote the arguments in their errors, so these are redacted. */
export function adapterError(
  cause: unknown,
  { method, args }: { readonly method: string; readonly args: readonly unknown[] },
): AuthError {
  if (cause instanceof AuthError) return cause
  const redacted = redactError(cause, args)
  return new AdapterError(`The adapter method ${method} failed.`, {
    ...(redacted && { cause: redacted }),
    method,
  })
}

/** Deletes a session that was stored after its deadline. */
async function deleteLate(
  { config }: CallContext,
  adapter: Adapter,
  sessionToken: PromiseLike<string>,
): Promise<void> {
  try {
    const args: Arguments<'deleteSession'> = [await sessionToken]
    await callAdapter({ config, deadline: Infinity }, adapter, { method: 'deleteSession', args })
  } catch (error) {
    // If the call itself failed, there is nothing to revert.
    if (error instanceof AdapterError) config.log.error(error)
  }
}

interface Waiting {
  readonly method: string
  /** Milliseconds. */
  readonly timeout: number
  readonly onTimeout?: () => void
}

/** Waits for the adapter. Throws AdapterError if it does not answer in time. */
export function waitFor<T>(
  { deadline }: CallContext,
  work: Awaitable<T>,
  { method, timeout, onTimeout }: Waiting,
): Awaitable<T> {
  const timeoutError = (message: string) => {
    onTimeout?.()
    return new AdapterError(message, { method })
  }
  return withTimeout(work, {
    what: `The adapter method ${method}`,
    timeout,
    deadline,
    timeoutError,
  })
}

function runMethod<M extends Method>(
  ctx: CallContext,
  adapter: Adapter,
  { method, args }: Call<M>,
): Awaitable<Row<M> | undefined> {
  const { undo, timeout = TIMEOUTS.adapter }: Rules<M> = METHODS[method]
  const methods: AdapterMethods = adapter
  const begun = methods[method]?.(...args)
  if (!undo || !begun || !isPromise(begun)) return waitFor(ctx, begun, { method, timeout })
  // Converted to one promise: query builders run the query again at each `then`.
  const work = Promise.resolve(begun)
  const onTimeout = () =>
    void deleteLate(
      ctx,
      adapter,
      work.then((row) => undo(row, args)),
    )
  return waitFor(ctx, work, { method, timeout, onTimeout })
}

function unstorable(method: string): AdapterError {
  return new AdapterError(
    `The adapter method ${method} was called with a key that databases cannot store (NUL or a lone surrogate).`,
    { method },
  )
}

/** Calls an adapter method. Throws AdapterError if it throws, times out or returns an invalid row. */
export async function callAdapter<M extends Method>(
  ctx: CallContext,
  adapter: Adapter,
  call: Call<M>,
): Promise<Result<M>> {
  const { method } = call
  const { read, matches, pick }: Rules<M> = METHODS[method]
  announceCall(ctx, adapter, method)
  const args = pick ? pick(call.args) : call.args
  try {
    if (!hasStorableKeys(args)) {
      if (LOOKUP.test(method)) return read(null, method, args)
      throw unstorable(method)
    }
    const row = await runMethod(ctx, adapter, { method, args })
    const result = read(row ?? null, method, args)
    if (!matches || result === null || result === undefined || matches(result, args)) return result
    ctx.config.log.warnOnce(
      'adapter-other-row',
      `The adapter method ${method} returned a row with another key, which is ignored. Use a case-sensitive collation for ids, tokens and e-mail addresses.`,
    )
    return read(null, method, args)
  } catch (cause) {
    throw adapterError(cause, { method, args })
  }
}
