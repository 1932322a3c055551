import { lazily } from '../async/cache.ts'
import { TIMEOUTS, withTimeout } from '../async/timeout.ts'
import type { Adapter, RecordStore } from '../database/adapter.ts'
import type { AuthError } from '../errors/base.ts'
import { AdapterError, InvalidConfiguration } from '../errors/classes.ts'
import { RECORD_METHODS } from '../records/access.ts'
import type { Awaitable } from '../types.ts'
import { describeKind } from './describe-value.ts'
import type { AuthConfig, SessionOptions } from './types.ts'

/** The configured strategy, else `database` if there is an adapter. */
export function resolveStrategy({
  adapter,
  session,
}: Pick<AuthConfig, 'adapter' | 'session'>): NonNullable<SessionOptions['strategy']> {
  return session?.strategy ?? (adapter ? 'database' : 'jwt')
}

export function missingRecordMethods(store: Partial<RecordStore>): readonly string[] {
  return RECORD_METHODS.filter((method) => typeof store[method] !== 'function')
}

/** Whether records can be stored. An adapter that is loaded on first use may still lack the methods. */
export function storesRecords({ adapter, store }: Pick<AuthConfig, 'adapter' | 'store'>): boolean {
  if (store !== undefined || typeof adapter === 'function') return true
  return adapter !== undefined && missingRecordMethods(adapter).length === 0
}

async function loadAdapter(load: () => Awaitable<Adapter>): Promise<Adapter> {
  const what = 'The function that loads the adapter'
  const timeoutError = (message: string) => new AdapterError(message)
  let adapter: Adapter
  try {
    adapter = await withTimeout(load(), { what, timeout: TIMEOUTS.adapter, timeoutError })
  } catch (cause) {
    if (cause instanceof AdapterError) throw cause
    throw new AdapterError(`${what} failed.`, cause instanceof Error ? { cause } : undefined)
  }
  // The required methods depend on the configuration, and are validated by the caller.
  if (typeof adapter === 'object' && adapter !== null) return adapter
  throw new InvalidConfiguration(
    `${what} returned ${describeKind(adapter)}, not an adapter. Write it like adapter: () => import("./database").then(({ adapter }) => adapter).`,
  )
}

/** The adapter, or a function that loads and validates it on first use; a failed load is retried on the next call. */
export function adapterSource(
  configured: AuthConfig['adapter'],
  problemOf: (adapter: Adapter) => AuthError | null = () => null,
): Adapter | (() => Awaitable<Adapter>) | undefined {
  if (typeof configured !== 'function') return configured
  return lazily(async () => {
    const adapter = await loadAdapter(configured)
    const problem = problemOf(adapter)
    if (problem) throw problem
    return adapter
  })
}
