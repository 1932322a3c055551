import type { NextRequest } from 'next/server.js'
import { withEnvDefaults } from '../config/env.ts'
import type { AuthConfig, PagesOptions } from '../config/types.ts'
import { lazily } from '../lazily.ts'
import type { Awaitable } from '../types.ts'
import { mounted, mountPath } from './mount.ts'
import type { LibCallbacks, LibConfig, LibConfigSource } from './types.ts'

// Only a configuration function needs it.
const loadPublicRequest = lazily(() => import('./public-request.ts'))

const BASE_PATH = '/api/auth'

/** A configuration completed from the environment. */
export interface PreparedConfig extends AuthConfig {
  readonly callbacks?: LibCallbacks | undefined
  readonly authorizedInHandler?: boolean | undefined
}

/** Resolves the configuration of a request. `request` is called only for a configuration function. */
export type ConfigFor = (request: () => Awaitable<NextRequest>) => Awaitable<PreparedConfig>

function mountedPages(pages: PagesOptions, mount: string): PagesOptions {
  const entries = Object.entries<string | undefined>({ ...pages })
  return Object.fromEntries(entries.map(([name, page]) => [name, page && mounted(page, mount)]))
}

function prepare(config: LibConfig): PreparedConfig {
  const { callbacks, authorizedInHandler, pages } = config
  const filled = withEnvDefaults(
    process.env,
    { ...config, basePath: config.basePath || undefined },
    { basePath: BASE_PATH, basePathWarning: 'suppressed' },
  )
  const mount = mountPath()
  const path = (filled.basePath ?? '').replace(/^\/*/, '/')
  // An AUTH_URL that ends with the base path of the application does not set that of the routes.
  const isApplication = !config.basePath && path === mount
  const basePath = mounted(isApplication ? BASE_PATH : path, mount)
  const shown = mount && pages ? mountedPages(pages, mount) : pages
  return { ...filled, basePath, pages: shown, callbacks, authorizedInHandler }
}

/** Reads the environment once per configuration object, and calls a configuration function once per request. */
export function configSource(source: LibConfigSource): ConfigFor {
  const prepared = new WeakMap<LibConfig, PreparedConfig>()
  const remember = (config: LibConfig): PreparedConfig => {
    const known = prepared.get(config) ?? prepare(config)
    prepared.set(config, known)
    return known
  }
  if (typeof source !== 'function') {
    const config = remember(source)
    return () => config
  }
  const made = new WeakMap<NextRequest, Promise<PreparedConfig>>()
  const make = async (request: NextRequest): Promise<LibConfig> => {
    const { publicRequest } = await loadPublicRequest()
    return source(publicRequest(request))
  }
  return async (requestOf) => {
    const request = await requestOf()
    const known = made.get(request) ?? make(request).then(remember)
    made.set(request, known)
    return known
  }
}
