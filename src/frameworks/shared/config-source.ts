import { oncePerKey } from '../../core/async/cache.ts'
import { withEnvDefaults } from '../../core/config/env.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import type { Awaitable } from '../../core/types.ts'
import type { Environment } from '../../core/config/variables.ts'
import { isRecord } from '../../core/is-record.ts'
import { perRequest } from './per-request.ts'
import { requireConfig } from './misuse.ts'
import type { RequestAdapter } from './request-adapter.ts'
import type { ConfigSource, WrapperCallbacks, WrapperConfig } from './types.ts'

/** A configuration with the defaults of the environment. */
export interface PreparedConfig<Req> extends AuthConfig {
  readonly callbacks?: WrapperCallbacks<Req> | undefined
}

/** Resolves the configuration of a request. */
export type ConfigFor<Req> = (req: Req) => Awaitable<PreparedConfig<Req>>

const NO_ENVIRONMENT: Environment = {}

const processEnvironment = () => (typeof process === 'object' ? process.env : NO_ENVIRONMENT)

/** On Cloudflare Workers without `nodejs_compat`, the variables are bindings. */
export function readBindings(bindings: unknown): Environment {
  return isRecord(bindings) && 'AUTH_SECRET' in bindings ? bindings : processEnvironment()
}

/** Calls a configuration function once per request; `prepare` adds the defaults to what it returns. */
export function configSource<Req extends object, Config extends object, Prepared>(
  source: ConfigSource<Req, Config>,
  key: (req: Req) => object,
  prepare: (config: Config, req: Req) => Prepared,
): (req: Req) => Awaitable<Prepared> {
  if (typeof source !== 'function') {
    requireConfig(source)
    return (req) => prepare(source, req)
  }
  const configs = perRequest<Promise<Prepared>>()
  const call = async (req: Req) => {
    const config = await source(req)
    requireConfig(config)
    return prepare(config, req)
  }
  return (req) => {
    const config = configs.get(key(req)) ?? call(req)
    configs.set(key(req), config)
    return config
  }
}

/** The configuration of a wrapper; reads the environment once per configuration object. */
export function wrapperConfig<Req extends object>(
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
  return configSource(source, key, (config, req) => preparer(environment(req))(config))
}
