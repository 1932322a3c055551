import type { NextRequest } from 'next/server.js'
import { announceConfiguration } from '../announce.ts'
import { lazily } from '../cache.ts'
import { InvalidConfiguration } from '../errors/configuration.ts'
import type { DefaultSession, Session } from '../types.ts'
import { authFunction } from './auth-function.ts'
import { restoreBasePath } from './base-path.ts'
import { configSource } from './config.ts'
import { isPagesRequest } from './shape.ts'
import type { InferredConfig, LibConfigSource, LibResult, Update } from './types.ts'

// Loaded on demand: the proxy needs neither this nor the actions.
const loadAuth = lazily(() => import('../auth.ts'))

/**
 * Creates the route handlers and functions for authentication in a Next.js application.
 *
 * @param source - the configuration, or a function that receives the request and returns it; where Next provides no
 * request, one is created from its headers, and its path if known
 * @example
 * ```ts
 * import Lib from 'lib-auth/next'
 * import GitHub from 'lib-auth/providers/github'
 *
 * export const { handlers, auth, signIn, signOut } = Lib({ providers: [GitHub] })
 * ```
 */
export default function Lib<S extends DefaultSession = Session, Known extends DefaultSession = S>(
  source: LibConfigSource<InferredConfig<S, Known>>,
): LibResult<S>
export default function Lib(source: LibConfigSource): LibResult {
  announceConfiguration(source)
  const configFor = configSource(source)
  const handle = async (request: NextRequest): Promise<Response> => {
    if (isPagesRequest(request))
      throw new InvalidConfiguration(
        'The built-in routes require the App Router: export const { GET, POST } = handlers in app/api/auth/[...auth]/route.ts. The app folder works next to pages.',
      )
    const config = await configFor(() => request)
    const { Auth } = await loadAuth()
    return Auth(restoreBasePath(request, config), config)
  }
  const actions = lazily(async () => (await import('./actions.ts')).createActions(configFor))
  const update: Update = async (data) => (await actions()).update(data)
  return {
    handlers: { GET: handle, POST: handle },
    auth: authFunction(configFor),
    signIn: async (...args) => (await actions()).signIn(...args),
    signOut: async (...args) => (await actions()).signOut(...args),
    unstable_update: update,
    update,
  }
}
