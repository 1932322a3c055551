import type { NextRequest } from 'next/server.js'
import { oncePerKey } from '../../core/async/cache.ts'
import { trustedRequest, withEnvDefaults } from '../../core/config/env.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import type { Awaitable } from '../../core/types.ts'
import { requireConfig } from '../shared/require-config.ts'
import { appBasePath, overrideRequest, setOrigin, withBasePath } from './path.ts'
import type { LibCallbacks, LibConfig, LibConfigSource } from './types.ts'

export const BASE_PATH = '/api/auth'

export interface PreparedConfig extends AuthConfig {
  readonly callbacks?: LibCallbacks | undefined
  readonly authorizedInHandler?: boolean | undefined
}

/** Resolves the configuration of a request. `request` is called only for a configuration function. */
export type ConfigFor = (request: () => Awaitable<NextRequest>) => Awaitable<PreparedConfig>

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

/** Reads the environment once per configuration object, and calls a configuration function once per request. */
export function configSource(source: LibConfigSource): ConfigFor {
  if (typeof source !== 'function') {
    requireConfig(source)
    const config = prepare(source)
    return () => config
  }
  const prepareOnce = oncePerKey(prepare)
  const configFor = oncePerKey(async (request: NextRequest) => {
    const config = await source(withPublicOrigin(request))
    requireConfig(config)
    return prepareOnce(config)
  })
  return async (request) => configFor(await request())
}
