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

const AROUND = 'Write auth((request) => …) around your handler: request.auth says who is signed in.'

const MISUSES = {
  route: `auth was exported as a route handler, which it cannot answer. ${AROUND} The built-in routes are handlers.GET and handlers.POST.`,
  'edge route': `auth was called with the request of an API route on the edge. ${AROUND}`,
  nobody: `auth(request) was called without the event that Next passes to the proxy. As the proxy, pass it on: auth(request, event). In a server component, a server action or a route handler, call auth() without arguments. In an API route on the edge, write auth((request) => …).`,
  plain:
    'A handler wrapped in auth() was called with a value that is not a NextRequest. In a test, pass new NextRequest(url).',
  node: 'auth((request) => …) was called by the Pages Router with a Node.js request. In an API route write const session = await auth(request, response), in getServerSideProps const session = await auth(context).',
} as const

function misuse(what: keyof typeof MISUSES): InvalidConfiguration {
  return new InvalidConfiguration(MISUSES[what])
}

/** Next rejects props that contain a `Date` or `undefined`. */
function asProps(session: Session | null): Untyped {
  return session && JSON.parse(JSON.stringify(session))
}

export function authFunction(configFor: ConfigFor): AuthFunction {
  const read = sessionReader(configFor)

  const readHere = async (): Promise<Session | null> => read(await appRequest('auth'))

  const around = (handler: AuthHandler<unknown>) => (request: unknown, context: unknown) => {
    if (!isRequest(request)) throw misuse(isPagesRequest(request) ? 'node' : 'plain')
    const call = { request, context, handler }
    const caller = callerOf(request, context)
    if (caller === 'route') return runRoute(configFor, read, call)
    if (caller === 'edge route') return runEdgeRoute(configFor, call)
    // Unknown caller: treat it as a proxy call and fail closed.
    return runProxy(configFor, { request, event: context, handler })
  }

  return (...given: readonly unknown[]): Untyped => {
    const [first, second] = given
    if (given.length === 0) return readHere()
    if (isHandler(first)) return around(first)
    if (isRequest(first)) {
      const caller = callerOf(first, second)
      if (caller !== 'proxy') return Promise.reject(misuse(caller))
      return runProxy(configFor, { request: first, event: second })
    }
    const current = pagesRequest(first, second)
    if (current) return isPagesContext(first) ? read(current).then(asProps) : read(current)
    throw new InvalidConfiguration(
      `auth() was called with something that is neither a function nor a request of Next.js: ${typeof first}. Call it without arguments to read the session, with (request, response) or the context of getServerSideProps in the Pages Router, with (request, event) as the proxy, or with a handler of yours.`,
    )
  }
}
