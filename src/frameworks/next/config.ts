import type { NextRequest } from 'next/server.js'
import { oncePerKey } from '../../core/async/cache.ts'
import { trustedRequest, withEnvDefaults } from '../../core/config/env.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import type { Awaitable } from '../../core/types.ts'
import { configSource } from '../shared/config-source.ts'
import { appBasePath, overrideRequest, setOrigin, withBasePath } from './path.ts'
import type { LibConfig, LibConfigSource } from './types.ts'

export const BASE_PATH = '/api/auth'

export type PreparedConfig = AuthConfig & Pick<LibConfig, 'callbacks' | 'authorizedInHandler'>

/** What a configuration is resolved for. `nextRequest` is called only for a configuration function. */
interface ConfigRequest {
  readonly key: object
  readonly nextRequest: () => Awaitable<NextRequest>
}

/** Resolves the configuration of a request. */
export type ConfigFor = (request: ConfigRequest) => Awaitable<PreparedConfig>

export function forConfig(request: NextRequest): ConfigRequest {
  return { key: request, nextRequest: () => request }
}

function prepare(config: LibConfig): PreparedConfig {
  const { callbacks, authorizedInHandler } = config
  const given = { ...config, basePath: config.basePath || undefined }
  const filled = withEnvDefaults(process.env, given, BASE_PATH, 'suppressed')
  const mount = appBasePath()
  const path = (filled.basePath ?? '').replace(/^\/*/, '/')
  // An AUTH_URL that ends with the base path of the application does not set that of the routes.
  const isApplication = !config.basePath && path === mount
  const basePath = withBasePath(isApplication ? BASE_PATH : path, mount)
  const mounted = Object.entries<string | undefined>({ ...config.pages }).map(
    ([name, page]) => [name, page && withBasePath(page, mount)] as const,
  )
  const pages = config.pages && Object.fromEntries(mounted)
  return { ...filled, basePath, pages, callbacks, authorizedInHandler }
}

const HOST_HEADERS = ['host', 'x-forwarded-host', 'forwarded']

/** Uses the public origin. `X-Forwarded-Host`, which clients can forge, is visible only if the environment trusts it. */
function withPublicOrigin(request: NextRequest): NextRequest {
  const { origin, headers } = trustedRequest(process.env, request)
  const isAsSent =
    request.nextUrl.origin === origin &&
    HOST_HEADERS.every((name) => request.headers.get(name) === headers.get(name))
  if (isAsSent) return request
  const { pathname, search } = new URL(request.url)
  const url = origin + pathname + search
  const nextUrl = setOrigin(request.nextUrl.clone(), origin)
  const state = new Request(url, { method: request.method, headers })
  return overrideRequest(request, { nextUrl, url, headers }, state)
}

/** Reads the environment once per configuration object. */
export function nextConfig(source: LibConfigSource): ConfigFor {
  const given =
    typeof source === 'function'
      ? async ({ nextRequest }: ConfigRequest) => source(withPublicOrigin(await nextRequest()))
      : source
  return configSource(given, ({ key }) => key, oncePerKey(prepare))
}
