/** The adapter as the core uses it: calls have a time limit, and rows are validated. */
import type { Adapter } from '../adapters/index.ts'
import { TIMEOUTS } from '../timeout.ts'
import { adapterError, announceCall, callAdapter, waitFor } from './call.ts'
import type { CallContext } from './call.ts'
import { METHODS } from './methods.ts'
import type { Arguments, Method, Result } from './methods.ts'

export type DatabaseSource = () => Promise<Database>

export interface Database {
  /** Whether the adapter implements an optional method. */
  has(method: keyof Adapter): Promise<boolean>
  /** Calls a method of the adapter and validates the row that it returns. @throws AdapterError */
  call<M extends Method>(ctx: CallContext, method: M, ...args: Arguments<M>): Promise<Result<M>>
  /** Commits or rolls back everything in `work`. Optional in adapters. @throws AdapterError */
  transaction<T>(ctx: CallContext, work: (database: Database) => Promise<T>): Promise<T | null>
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

/**
 * Wraps an adapter as a {@link Database}.
 *
 * @param source - the adapter, or a function that loads it
 * @param onCall - receives the arguments of every call
 */
export function databaseOf(
  source: Adapter | (() => Promise<Adapter>),
  onCall?: (args: readonly unknown[]) => void,
): Database {
  const pending = new Map<string, Promise<unknown>>()

  async function load(): Promise<Adapter> {
    return typeof source === 'function' ? source() : source
  }

  return {
    async has(method) {
      return typeof (await load())[method] === 'function'
    },

    call(ctx, method, ...args) {
      onCall?.(args)
      const name = METHODS[method].turn?.(args)
      const work = async () => callAdapter(ctx, await load(), { method, args })
      return name === undefined ? work() : runInOrder(pending, name, work)
    },

    async transaction(ctx, work) {
      const method = 'transaction'
      // The error of a commit may quote the arguments of any call in the transaction.
      const args: unknown[] = []
      const inner = (each: Adapter) => work(databaseOf(each, (given) => args.push(given)))
      const adapter = await load()
      announceCall(ctx, adapter, method)
      try {
        const result = adapter.transaction?.(inner)
        return (await waitFor(ctx, result, { method, timeout: TIMEOUTS.callback })) ?? null
      } catch (cause) {
        throw adapterError(cause, { method, args })
      }
    },
  }
}
