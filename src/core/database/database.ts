/** The adapter as the core uses it: calls have a time limit, and rows are validated. */
import type { Adapter } from './adapter.ts'
import { chain, isPromise } from '../async/awaitable.ts'
import { TIMEOUTS, withTimeout } from '../async/timeout.ts'
import { AuthError } from '../errors/base.ts'
import { AdapterError, MissingAdapterMethods } from '../errors/classes.ts'
import type { Logger } from '../log/logger.ts'
import { redactError } from '../log/redact-error.ts'
import type { Awaitable } from '../types.ts'
import { METHODS } from './methods.ts'
import type {
  AccountColumns,
  AdapterMethods,
  Arguments,
  Method,
  Result,
  Row,
  Rules,
} from './rules.ts'
import { rejectCall } from './reject-call.ts'

export interface CallContext {
  readonly config: { readonly log: Logger }
  /** In milliseconds as `performance.now()`. */
  readonly deadline: number
}

export type DatabaseSource = () => Awaitable<Database>

export interface Database {
  has(method: keyof Adapter): Promise<boolean>
  /**
   * Returns the adapter, as a key for state of this process: a configuration may be created for each request. `null` if
   * it lacks one of the methods.
   */
  adapterWith(methods: readonly (keyof Adapter)[]): Awaitable<object | null>
  /** Calls a method of the adapter and validates the row that it returns. @throws AdapterError */
  call<M extends Method>(ctx: CallContext, method: M, ...args: Arguments<M>): Promise<Result<M>>
  /** Commits or rolls back everything in `work`. Optional in adapters. @throws AdapterError */
  transaction<T>(ctx: CallContext, work: (database: Database) => Promise<T>): Promise<T | null>
}

export interface DatabaseAccess {
  readonly database: Database
  /** Calls a method of the adapter. @throws AdapterError */
  readonly query: <M extends Method>(method: M, ...args: Arguments<M>) => Promise<Result<M>>
}

interface Call<M extends Method> {
  readonly method: M
  readonly args: Arguments<M>
}

/** Columns that identify a row. Other columns may contain any text. */
const KEY =
  /^(?:id|email|userId|provider|providerAccountId|sessionToken|identifier|token|credentialID|key|owner)$/
const LOOKUP = /^(?:get|use|delete|unlink)/

/** Some databases truncate at NUL, others reject it, and lone surrogates all become the same character. */
function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || !(value.includes('\0') || /\p{Surrogate}/u.test(value))
}

function hasStorableKeys(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).every(([name, column]) => !KEY.test(name) || isStorable(column))
    : isStorable(value)
}

function requireMethod({ config }: CallContext, adapter: Adapter, method: keyof Adapter): void {
  if (typeof adapter[method] !== 'function')
    throw new MissingAdapterMethods(
      `The adapter has no method ${method}, which this request needs. Implement it (node_modules/lib-auth/docs/reference/adapters.md), or use an adapter of this package.`,
    )
  config.log.debug?.(`adapter_${method}`)
}

/** Wraps an error of the adapter. Databases quote the arguments in their errors, so these are redacted. */
function adapterError(cause: unknown, method: string, args: readonly unknown[]): AuthError {
  if (cause instanceof AuthError) return cause
  const message = `The adapter method ${method} failed.`
  return new AdapterError(message, { cause: redactError(cause, args), method })
}

function waitFor<T>(
  { deadline }: CallContext,
  work: Awaitable<T>,
  { method, timeout, onTimeout }: { method: string; timeout: number; onTimeout?: () => unknown },
): Awaitable<T> {
  const what = `The adapter method ${method}`
  const timeoutError = (message: string) => {
    onTimeout?.()
    return new AdapterError(message, { method })
  }
  return withTimeout(work, { what, timeout, deadline, timeoutError })
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
  const onTimeout = async () => {
    const { config } = ctx
    try {
      const late: Arguments<'deleteSession'> = [undo(await work, args)]
      const call = { method: 'deleteSession', args: late } as const
      await callAdapter({ config, deadline: Infinity }, adapter, call)
    } catch (error) {
      // If the call itself failed, there is nothing to revert.
      if (error instanceof AdapterError) config.log.error(error)
    }
  }
  return waitFor(ctx, work, { method, timeout, onTimeout })
}

async function callAdapter<M extends Method>(
  ctx: CallContext,
  adapter: Adapter,
  call: Call<M>,
): Promise<Result<M>> {
  const { method } = call
  const { read, matches, pick, unstorable }: Rules<M> = METHODS[method]
  requireMethod(ctx, adapter, method)
  const args = pick ? pick(call.args) : call.args
  try {
    if (!args.every(hasStorableKeys)) {
      if (LOOKUP.test(method)) return unstorable ?? read(null, method, args)
      rejectCall(
        method,
        'was called with a key that databases cannot store (NUL or a lone surrogate)',
      )
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
    throw adapterError(cause, method, args)
  }
}

/** Runs work after pending work of the same name, even if that failed. */
async function runInOrder<T>(
  pending: Map<string, Promise<unknown>>,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const before = pending.get(name)
  const running = before ? before.then(work, work) : work()
  pending.set(name, running)
  try {
    return await running
  } finally {
    if (pending.get(name) === running) pending.delete(name)
  }
}

interface DatabaseOptions {
  readonly onCall?: (args: readonly unknown[]) => void
  /** @default stored as they are */
  readonly columns?: AccountColumns | undefined
}

type AdapterSource = Adapter | (() => Awaitable<Adapter>)

interface SealedCall<M extends Method> extends Call<M> {
  readonly source: AdapterSource
  readonly columns: AccountColumns | undefined
}

/** Encrypts the tokens of accounts on their way to the adapter, and decrypts them on their way back. */
async function callSealed<M extends Method>(
  ctx: CallContext,
  { source, method, args, columns }: SealedCall<M>,
): Promise<Result<M>> {
  const { seal, open }: Rules<M> = METHODS[method]
  // Every session read calls this, so nothing is awaited that is known.
  const adapter = typeof source === 'function' ? await source() : source
  const sent = columns && seal ? await seal(args, columns) : args
  const result = await callAdapter(ctx, adapter, { method, args: sent })
  return columns && open && result !== null && result !== undefined ? open(result, columns) : result
}

export function createDatabase(
  source: AdapterSource,
  { onCall, columns }: DatabaseOptions = {},
): Database {
  const pending = new Map<string, Promise<unknown>>()
  const load = () => (typeof source === 'function' ? source() : source)

  return {
    has: async (method) => typeof (await load())[method] === 'function',

    adapterWith: (methods) =>
      chain(load(), (adapter) =>
        methods.every((method) => typeof adapter[method] === 'function') ? adapter : null,
      ),

    call(ctx, method, ...args) {
      onCall?.(args)
      const name = METHODS[method].turn?.(args)
      const work = () => callSealed(ctx, { source, method, args, columns })
      return name === undefined ? work() : runInOrder(pending, name, work)
    },

    async transaction(ctx, work) {
      const method = 'transaction'
      // The error of a commit may quote the arguments of any call in the transaction.
      const args: unknown[] = []
      const record = (given: readonly unknown[]) => args.push(given)
      const inner = (each: Adapter) => work(createDatabase(each, { onCall: record, columns }))
      const adapter = await load()
      requireMethod(ctx, adapter, method)
      try {
        const result = adapter.transaction?.(inner)
        return (await waitFor(ctx, result, { method, timeout: TIMEOUTS.callback })) ?? null
      } catch (cause) {
        throw adapterError(cause, method, args)
      }
    },
  }
}
