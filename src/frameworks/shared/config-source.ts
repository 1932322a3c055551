import { oncePerKey } from '../../core/async/cache.ts'
import { withEnvDefaults } from '../../core/config/env.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import type { Awaitable } from '../../core/types.ts'
import type { Environment } from '../../core/config/variables.ts'
import { isRecord } from '../../core/is-record.ts'
import { perRequest } from './per-request.ts'
import { requireConfig } from './require-config.ts'
import type { RequestAdapter } from './request-adapter.ts'
import type { ConfigSource, WrapperCallbacks, WrapperConfig } from './types.ts'

/** A configuration with the defaults of the environment. */
export interface PreparedConfig<Req> extends AuthConfig {
  readonly callbacks?: WrapperCallbacks<Req> | undefined
}

/** Resolves the configuration of a request. */
export type ConfigFor<Req> = (req: Req) => Awaitable<PreparedConfig<Req>>

const NO_ENVIRONMENT: Environment = {}

function processEnvironment(): Environment {
  return typeof process === 'object' ? process.env : NO_ENVIRONMENT
}

/** On Cloudflare Workers without `nodejs_compat`, the variables are bindings. */
export function environmentOf(bindings: unknown): Environment {
  return isRecord(bindings) && 'AUTH_SECRET' in bindings ? bindings : processEnvironment()
}

/** Reads the environment once per configuration object, and calls a configuration function once per request. */
export function configSource<Req extends object>(
  source: ConfigSource<Req>,
  { key, environment = processEnvironment }: RequestAdapter<Req>,
  basePath: string,
): ConfigFor<Req> {
  const preparer = oncePerKey((env: Environment) =>
    oncePerKey((config: WrapperConfig<Req>): PreparedConfig<Req> => {
      const { callbacks } = config
      return { ...withEnvDefaults(env, config, basePath, 'suppressed'), callbacks }
    }),
  )
  if (typeof source !== 'function') {
    requireConfig(source)
    return (req) => preparer(environment(req))(source)
  }
  const configs = perRequest<Promise<PreparedConfig<Req>>>()
  const prepare = async (req: Req) => {
    const config = await source(req)
    requireConfig(config)
    return preparer(environment(req))(config)
  }
  return (req) => {
    const config = configs.get(key(req)) ?? prepare(req)
    configs.set(key(req), config)
    return config
  }
}
