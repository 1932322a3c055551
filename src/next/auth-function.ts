import { InvalidConfiguration } from '../errors/configuration.ts'
import type { Session, Untyped } from '../types.ts'
import { appRequest } from './app-request.ts'
import type { ConfigFor } from './config.ts'
import { pagesRequest } from './pages-request.ts'
import { runProxy } from './proxy.ts'
import { runEdgeRoute, runRoute } from './route.ts'
import { sessionReader } from './session.ts'
import { callerOf, isHandler, isPagesContext, isPagesRequest, isRequest } from './shape.ts'
import type { AuthFunction, AuthHandler } from './types.ts'

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

function misuseError(misuse: keyof typeof MISUSE_MESSAGES): InvalidConfiguration {
  return new InvalidConfiguration(MISUSE_MESSAGES[misuse])
}

/** Next rejects props that contain a `Date` or `undefined`. */
function asProps(session: Session | null): Untyped {
  return session && JSON.parse(JSON.stringify(session))
}

export function authFunction(configFor: ConfigFor): AuthFunction {
  const read = sessionReader(configFor)

  const wrap = (handler: AuthHandler<unknown>) => (request: unknown, context: unknown) => {
    if (!isRequest(request))
      throw misuseError(isPagesRequest(request) ? 'Node request' : 'plain request')
    const call = { request, context, handler }
    const caller = callerOf(request, context)
    if (caller === 'route') return runRoute(configFor, read, call)
    if (caller === 'edge route') return runEdgeRoute(configFor, call)
    // Unknown caller: treat it as a proxy call and fail closed.
    return runProxy(configFor, { request, event: context, handler })
  }

  return (...args: readonly unknown[]): Untyped => {
    const [first, second] = args
    if (args.length === 0) return appRequest('auth').then(read)
    if (isHandler(first)) return wrap(first)
    if (isRequest(first)) {
      const caller = callerOf(first, second)
      if (caller !== 'proxy') return Promise.reject(misuseError(caller))
      return runProxy(configFor, { request: first, event: second })
    }
    const current = pagesRequest(first, second)
    if (current) return isPagesContext(first) ? read(current).then(asProps) : read(current)
    throw new InvalidConfiguration(
      `auth() was called with an argument that is neither a function nor a request of Next.js (got ${typeof first}). Call auth() without arguments to read the session; in the Pages Router, call auth(request, response) or auth(context); in the proxy, auth(request, event); around a handler, auth((request) => …).`,
    )
  }
}
