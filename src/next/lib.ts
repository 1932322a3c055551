import type { NextRequest } from 'next/server.js'
import { announceConfiguration } from '../announce.ts'
import { lazily } from '../cache.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import type { DefaultSession, Session, Untyped } from '../types.ts'
import { cookieExchange } from '../wrapper/cookies.ts'
import type { CookieExchange } from '../wrapper/cookies.ts'
import { sessionReader } from '../wrapper/session-reader.ts'
import { appRequest, currentSurface, pagesRequest } from './current-request.ts'
import type { CurrentRequest } from './current-request.ts'
import { configSource } from './config.ts'
import type { ConfigFor, PreparedConfig } from './config.ts'
import { runEdgeRoute, runProxy, runRoute } from './handler.ts'
import type { SessionReader } from './handler.ts'
import { appBasePath } from './path.ts'
import { callerOf, isHandler, isPagesContext, isPagesRequest, isRequest } from './shape.ts'
import type {
  AuthFunction,
  AuthHandler,
  InferredConfig,
  LibConfigSource,
  LibResult,
  Update,
} from './types.ts'

// Loaded on demand: the proxy needs neither this nor the actions.
const loadAuth = lazily(() => import('../auth.ts'))

const CALLBACK_URL_COOKIE = 'lib.callback-url'

/** Whether a route redirects to a page of the application, and neither query nor cookie contains a `callbackUrl`. */
function lacksCallbackUrl(request: NextRequest, url: URL, config: PreparedConfig): boolean {
  const { basePath = '', providers = [], cookies } = config
  const route = url.pathname.slice(basePath.length + 1).replace(/\/$/, '')
  const isCredentials = providers.some(
    (each) =>
      typeof each !== 'function' && each.type === 'credentials' && route === `callback/${each.id}`,
  )
  if (!isCredentials && !/^sign(?:in|out)(?:\/[^/]*)?$/.test(route)) return false
  const name = cookies?.callbackUrl?.name ?? CALLBACK_URL_COOKIE
  const isKnown = request.cookies.getAll().some((cookie) => cookie.name.endsWith(name))
  return !isKnown && !url.searchParams.has('callbackUrl')
}

/** Restores the base path that Next removed, and uses it as the default `callbackUrl` instead of the root. */
function restoreBasePath(request: NextRequest, config: PreparedConfig): Request {
  const mount = appBasePath()
  if (!mount) return request
  const url = new URL(request.url)
  // If `nextUrl` has a base path, Next has not removed it from the URL.
  if (!request.nextUrl.basePath) url.pathname = mount + url.pathname
  if (lacksCallbackUrl(request, url, config)) url.searchParams.set('callbackUrl', mount)
  return url.href === request.url ? request : new Request(url, request)
}

const WRAP_HANDLER =
  'Wrap your handler: auth((request) => …). request.auth is the session, or null.'

const MISUSE_MESSAGES = {
  route: `auth was exported as a route handler, but it does not handle requests itself. ${WRAP_HANDLER} The built-in routes are handlers.GET and handlers.POST.`,
  'edge route': `auth was called with the request of an API route on the edge. ${WRAP_HANDLER}`,
  unknown: `auth(request) was called without the event that Next passes to the proxy. In the proxy (middleware), call auth(request, event). In a server component, a server action or a route handler, call auth() without arguments. In an API route on the edge, wrap your handler: auth((request) => …).`,
  'plain request':
    'A handler wrapped in auth() was called with a value that is not a NextRequest. In a test, pass new NextRequest(url).',
  'Node request':
    'A handler wrapped in auth() was called by the Pages Router with a Node.js request. In an API route, call auth(request, response); in getServerSideProps, call auth(context).',
} as const

/** Next rejects props that contain a `Date` or `undefined`. */
function asProps(session: Session | null): Untyped {
  return session && JSON.parse(JSON.stringify(session))
}

function authFunction(configFor: ConfigFor, cookies: CookieExchange<CurrentRequest>): AuthFunction {
  const configOf = ({ nextRequest }: CurrentRequest) => configFor(nextRequest)
  const readSession = sessionReader(configOf, currentSurface, cookies)
  const read: SessionReader = async (current) => {
    const { headers } = current
    // While Next prerenders a page, there are no headers of a request.
    if (!headers.has('host') && !headers.get('cookie')) return null
    return (await readSession(current)).session
  }

  const wrap = (handler: AuthHandler<unknown>) => (request: unknown, context: unknown) => {
    if (!isRequest(request))
      throw new InvalidConfiguration(
        MISUSE_MESSAGES[isPagesRequest(request) ? 'Node request' : 'plain request'],
      )
    const call = { request, context, handler }
    const caller = callerOf(request, context)
    if (caller === 'route') return runRoute(configFor, read, call)
    if (caller === 'edge route') return runEdgeRoute(configFor, call)
    // Unknown caller: treat it as a proxy call and fail closed.
    return runProxy(configFor, call)
  }

  return (...args: readonly unknown[]): Untyped => {
    const [first, second] = args
    if (args.length === 0) return appRequest('auth').then(read)
    if (isHandler(first)) return wrap(first)
    if (isRequest(first)) {
      const caller = callerOf(first, second)
      if (caller !== 'proxy')
        return Promise.reject(new InvalidConfiguration(MISUSE_MESSAGES[caller]))
      return runProxy(configFor, { request: first, context: second })
    }
    const current = pagesRequest(first, second)
    if (current) return isPagesContext(first) ? read(current).then(asProps) : read(current)
    throw new InvalidConfiguration(
      `auth() was called with an argument that is neither a function nor a request of Next.js (got ${typeof first}). Call auth() without arguments to read the session; in the Pages Router, call auth(request, response) or auth(context); in the proxy, auth(request, event); around a handler, auth((request) => …).`,
    )
  }
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
export default function Lib<S extends DefaultSession = Session, Known extends DefaultSession = S>(
  source: LibConfigSource<InferredConfig<S, Known>>,
): LibResult<S>
export default function Lib(source: LibConfigSource): LibResult {
  announceConfiguration(source)
  const configFor = configSource(source)
  const cookies = cookieExchange(currentSurface)
  const handle = async (request: NextRequest): Promise<Response> => {
    if (isPagesRequest(request))
      throw new InvalidConfiguration(
        'The built-in routes require the App Router: export const { GET, POST } = handlers in app/api/auth/[...auth]/route.ts. The app folder works next to pages.',
      )
    const config = await configFor(() => request)
    const { Auth } = await loadAuth()
    return Auth(restoreBasePath(request, config), config)
  }
  const actions = lazily(async () =>
    (await import('./actions.ts')).createActions(configFor, cookies),
  )
  const passkeys = lazily(async () => (await import('./passkeys.ts')).createPasskeys(configFor))
  const update: Update = async (data) => (await actions()).update(data)
  return {
    handlers: { GET: handle, POST: handle },
    auth: authFunction(configFor, cookies),
    signIn: async (...args) => (await actions()).signIn(...args),
    signOut: async (...args) => (await actions()).signOut(...args),
    unstable_update: update,
    update,
    passkeys: {
      list: async () => (await passkeys()).list(),
      rename: async (...args) => (await passkeys()).rename(...args),
      remove: async (...args) => (await passkeys()).remove(...args),
    },
  }
}
