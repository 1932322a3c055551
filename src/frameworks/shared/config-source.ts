import { oncePerKey } from '../../core/async/cache.ts'
import { withEnvDefaults } from '../../core/config/env.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import type { Awaitable } from '../../core/types.ts'
import type { Environment } from '../../core/config/variables.ts'
import { perRequest } from './per-request.ts'
import { requireConfig } from './require-config.ts'
import type { Surface } from './request-adapter.ts'
import type { ConfigSource, WrapperCallbacks, WrapperConfig } from './types.ts'

/** A configuration with the defaults of the environment. */
export interface PreparedConfig<Ask> extends AuthConfig {
  readonly callbacks?: WrapperCallbacks<Ask> | undefined
}

/** Resolves the configuration of a request. */
export type ConfigFor<Ask> = (ask: Ask) => Awaitable<PreparedConfig<Ask>>

const NO_ENVIRONMENT: Environment = {}

function processEnvironment(): Environment {
  return typeof process === 'object' ? process.env : NO_ENVIRONMENT
}

/** Reads the environment once per configuration object, and calls a configuration function once per request. */
export function configSource<Ask extends object>(
  source: ConfigSource<Ask>,
  { key, environment = processEnvironment }: Surface<Ask>,
  basePath: string,
): ConfigFor<Ask> {
  const preparer = oncePerKey((env: Environment) =>
    oncePerKey((config: WrapperConfig<Ask>): PreparedConfig<Ask> => {
      const { callbacks } = config
      return { ...withEnvDefaults(env, config, basePath, 'suppressed'), callbacks }
    }),
  )
  if (typeof source !== 'function') {
    requireConfig(source)
    return (ask) => preparer(environment(ask))(source)
  }
  const configs = perRequest<Promise<PreparedConfig<Ask>>>()
  const prepare = async (ask: Ask) => {
    const config = await source(ask)
    requireConfig(config)
    return preparer(environment(ask))(config)
  }
  return (ask) => {
    const config = configs.get(key(ask)) ?? prepare(ask)
    configs.set(key(ask), config)
    return config
  }
}
