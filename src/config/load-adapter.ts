import type { Adapter } from '../adapters/index.ts'
import { lazily } from '../cache.ts'
import { TIMEOUTS, withTimeout } from '../timeout.ts'
import { InvalidConfiguration, MissingAdapterMethods } from '../errors/configuration.ts'
import { AdapterError } from '../errors/session.ts'
import type { Awaitable } from '../types.ts'
import { describeKind } from './describe-value.ts'
import type { ProviderConfig } from './provider.ts'
import type { AuthConfig } from './types.ts'
import { featuresOf, missingMethods } from './validate-adapter.ts'

async function load(make: () => Awaitable<Adapter>): Promise<Adapter> {
  const what = 'The function that loads the adapter'
  const timeoutError = (message: string) => new AdapterError(message)
  let adapter: unknown
  try {
    adapter = await withTimeout(make(), { what, timeout: TIMEOUTS.adapter, timeoutError })
  } catch (cause) {
    if (cause instanceof AdapterError) throw cause
    throw new AdapterError(`${what} failed.`, cause instanceof Error ? { cause } : undefined)
  }
  if (isAdapter(adapter)) return adapter
  throw new InvalidConfiguration(
    `${what} returned ${describeKind(adapter)}, not an adapter. Write it like adapter: () => import("./database").then(({ adapter }) => adapter).`,
  )
}

/** Its methods are validated later, because the required ones depend on the configuration. */
function isAdapter(value: unknown): value is Adapter {
  return typeof value === 'object' && value !== null
}

/** The adapter, or a function that loads and validates it on first use; a failed load is retried on the next call. */
export function adapterSource(
  config: AuthConfig,
  providers: readonly ProviderConfig[],
): Adapter | (() => Promise<Adapter>) | undefined {
  const { adapter: configured } = config
  if (typeof configured !== 'function') return configured
  return lazily(async () => {
    const adapter = await load(configured)
    for (const problem of missingMethods(adapter, featuresOf(config, providers)))
      throw new MissingAdapterMethods(problem)
    return adapter
  })
}
