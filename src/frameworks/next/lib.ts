import type { NextRequest } from 'next/server.js'
import type { Provider } from '../../core/config/provider.ts'
import type { TokenProviderId } from '../../core/config/token-provider-id.ts'
import { announceConfiguration } from '../../core/config/announce.ts'
import { lazily } from '../../core/async/cache.ts'
import { InvalidConfiguration } from '../../core/errors/classes.ts'
import type { DefaultSession, Session } from '../../core/types.ts'
import { cookieExchange } from '../shared/cookies.ts'
import type { CookieExchange } from '../shared/cookies.ts'
import { reportNotAwaited } from '../shared/not-awaited.ts'
import { sessionReader } from '../shared/session-reader.ts'
import { appRequest, currentAdapter, isPrerendered } from './current-request.ts'
import type { CurrentRequest } from './current-request.ts'
import { BASE_PATH, forConfig, nextConfig } from './config.ts'
import type { ConfigFor } from './config.ts'
import { runEdgeRoute, runProxy, runRoute } from './handler.ts'
import type { SessionReader } from './handler.ts'
import { findCaller, isHandler, isPagesContext, isPagesRequest, isRequest } from './shape.ts'
import type { PagesCall } from './shape.ts'
import type { Misuse } from './misuse.ts'
import type {
  AuthFunction,
  AuthHandler,
  InferredConfig,
  LibConfigSource,
  LibResult,
  Update,
} from './types.ts'

// Loaded on demand: the proxy needs none of them.
const loadPages = lazily(() => import('./pages-request.ts'))
const loadRoutes = lazily(() => import('./routes.ts'))

async function reject(misuse: Misuse): Promise<never> {
  throw (await import('./misuse.ts')).misuseError(misuse)
}

/** Next rejects props that contain a `Date` or `undefined`. */
function asProps(session: Session | null): unknown {
  return session && JSON.parse(JSON.stringify(session))
}

function authFunction(configFor: ConfigFor, cookies: CookieExchange<CurrentRequest>): AuthFunction {
  const readSession = sessionReader(configFor, currentAdapter, cookies)
  const read: SessionReader = async (current) => {
    return isPrerendered(current) ? null : (await readSession(current)).session
  }

  const readPages = async (call: PagesCall) => read((await loadPages()).pagesRequest(call))

  const wrap = (handler: AuthHandler<unknown>) => (request: unknown, context: unknown) => {
    if (!isRequest(request))
      return reject(isPagesRequest(request) ? 'Node request' : 'plain request')
    const call = { request, context, handler }
    const caller = findCaller(request, context)
    if (caller === 'route') return runRoute(configFor, read, call, cookies)
    if (caller === 'edge route') return runEdgeRoute(configFor, call)
    // Unknown caller: treat it as a proxy call and fail closed.
    return runProxy(configFor, call)
  }

  const auth = (...args: readonly unknown[]): unknown => {
    const [first, second] = args
    if (args.length === 0) return appRequest('auth').then(read)
    if (isHandler(first)) return wrap(first)
    if (isRequest(first)) {
      const caller = findCaller(first, second)
      if (caller !== 'proxy') return reject(caller)
      return runProxy(configFor, { request: first, context: second })
    }
    if (isPagesContext(first)) return readPages(first).then(asProps)
    if (isPagesRequest(first)) return readPages({ req: first, res: second })
    // Thrown synchronously, so that `export default auth(undefined)` fails when the module is loaded.
    throw new InvalidConfiguration(
      `auth() was called with an argument that is neither a function nor a request of Next.js (got ${typeof first}). Call auth() without arguments to read the session; in the Pages Router, call auth(request, response) or auth(context); in the proxy, auth(request, event); around a handler, auth((request) => …).`,
    )
  }
  return auth as AuthFunction
}

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
export default function Lib<
  S extends DefaultSession = Session,
  Known extends DefaultSession = S,
  P extends Provider = Provider,
>(source: LibConfigSource<InferredConfig<S, Known, P>>): LibResult<S, TokenProviderId<P>>
export default function Lib(source: LibConfigSource): LibResult {
  announceConfiguration({ configuration: source, basePath: BASE_PATH, isNext: true })
  const configFor = nextConfig(source)
  const cookies = cookieExchange(currentAdapter)
  const handle = async (request: NextRequest): Promise<Response> =>
    isPagesRequest(request)
      ? reject('routes')
      : (await loadRoutes()).runAuth(request, await configFor(forConfig(request)))
  const actions = lazily(async () =>
    (await import('./actions.ts')).createActions(configFor, cookies),
  )
  const passkeys = lazily(async () => (await import('./passkeys.ts')).createPasskeys(configFor))
  const auth = authFunction(configFor, cookies)
  const settings = typeof source === 'function' ? {} : source
  const update: Update = async (data) => (await actions()).update(data)
  return {
    handlers: { GET: handle, POST: handle },
    // Next replaces the variable when it bundles, and drops the other branch.
    auth:
      process.env['NODE_ENV'] === 'development' ? reportNotAwaited('auth', auth, settings) : auth,
    signIn: async (...args) => (await actions()).signIn(...args),
    signOut: async (...args) => (await actions()).signOut(...args),
    getAccessToken: async (...args) => (await actions()).getAccessToken(...args),
    requestScopes: async (...args) => (await actions()).requestScopes(...args),
    requireAuth: async (...args) => (await actions()).requireAuth(...args),
    sessions: {
      list: async (...args) => (await actions()).sessions.list(...args),
      revoke: async (...args) => (await actions()).sessions.revoke(...args),
      revokeOthers: async () => (await actions()).sessions.revokeOthers(),
    },
    account: {
      list: async () => (await actions()).account.list(),
      link: async (...args) => (await actions()).account.link(...args),
      unlink: async (...args) => (await actions()).account.unlink(...args),
      merge: async (options) => (await actions()).account.merge(options),
      remove: async () => (await actions()).account.remove(),
      changeEmail: async (to) => (await actions()).account.changeEmail(to),
      pendingEmail: async () => (await actions()).account.pendingEmail(),
      cancelEmail: async () => (await actions()).account.cancelEmail(),
    },
    password: {
      signUp: async (fields) => (await actions()).password.signUp(fields),
      verifyEmail: async (fields) => (await actions()).password.verifyEmail(fields),
      requestReset: async (fields) => (await actions()).password.requestReset(fields),
      reset: async (fields) => (await actions()).password.reset(fields),
      change: async (fields) => (await actions()).password.change(fields),
      remove: async () => (await actions()).password.remove(),
      info: async () => (await actions()).password.info(),
    },
    factors: {
      list: async () => (await actions()).factors.list(),
      enroll: async (...args) => (await actions()).factors.enroll(...args),
      confirm: async (...args) => (await actions()).factors.confirm(...args),
      remove: async (id) => (await actions()).factors.remove(id),
      renewRecoveryCodes: async () => (await actions()).factors.renewRecoveryCodes(),
    },
    unstable_update: update,
    update,
    passkeys: {
      list: async () => (await passkeys()).list(),
      rename: async (...args) => (await passkeys()).rename(...args),
      remove: async (...args) => (await passkeys()).remove(...args),
    },
  }
}
