/** Errors of wrong calls. Loaded on demand, because the proxy would load the messages before the first request. */
import { InvalidConfiguration } from '../../core/errors/classes.ts'

/** The wrong call of `auth`, of a wrapped handler or of a built-in route. */
export type Misuse =
  'route' | 'edge route' | 'unknown' | 'plain request' | 'Node request' | 'routes'

/** A function that needs the request of Next. */
export type FunctionName =
  | 'auth'
  | 'getAccessToken'
  | 'requestScopes'
  | 'signIn'
  | 'signOut'
  | 'update'
  | 'passkeys'
  | 'requireAuth'
  | 'account'
  | 'password'
  | 'factors'
  | 'sessions'

const WRAP_HANDLER =
  'Wrap your handler: auth((request) => …). request.auth is the session, or null.'

const MESSAGES: Readonly<Record<Misuse, string>> = {
  route: `auth was exported as a route handler, but it does not handle requests itself. ${WRAP_HANDLER} The built-in routes are handlers.GET and handlers.POST.`,
  'edge route': `auth was called with the request of an API route on the edge. ${WRAP_HANDLER}`,
  unknown: `auth(request) was called without the event that Next passes to the proxy. In the proxy (middleware), call auth(request, event). In a server component, a server action or a route handler, call auth() without arguments. In an API route on the edge, wrap your handler: auth((request) => …).`,
  'plain request':
    'A handler wrapped in auth() was called with a value that is not a NextRequest. In a test, pass new NextRequest(url).',
  'Node request':
    'A handler wrapped in auth() was called by the Pages Router with a Node.js request. In an API route, call auth(request, response); in getServerSideProps, call auth(context).',
  routes:
    'The built-in routes require the App Router: export const { GET, POST } = handlers in app/api/auth/[...auth]/route.ts. The app folder works next to pages.',
}

const AUTH_OUTSIDE_REQUEST =
  'auth() was called without arguments outside a server component, a server action or a route handler. In the Pages Router, call auth(request, response) in an API route and auth(context) in getServerSideProps; on the edge, wrap the API route: auth((request) => …).'

const PASSKEYS_OUTSIDE_REQUEST =
  'A function of passkeys was called outside a server component, a server action or a route handler. In the Pages Router, call listPasskeys(request, config), renamePasskey or removePasskey of lib-auth/passkeys.'

const TOKEN_OUTSIDE_REQUEST =
  'getAccessToken(provider) was called outside a server component, a server action or a route handler. In the Pages Router, pass the request and the response: getAccessToken(provider, { req, res }). In a background job, call getAccessTokenFor of lib-auth.'

const IN_PAGES_ROUTER = {
  requireAuth: 'requireAuth(req, config) of lib-auth',
  factors: 'the functions of lib-auth/factors',
  sessions: 'the functions of lib-auth/sessions',
  password: 'the functions of lib-auth/password',
} as const

const MOCK_HINT =
  "In a test, a mock of next/headers affects the library only if the test runner transforms it (Vitest: server.deps.inline: ['lib-auth'])."

export function misuseError(misuse: Misuse): InvalidConfiguration {
  return new InvalidConfiguration(MESSAGES[misuse])
}

function describeOutside(name: FunctionName): string {
  if (name === 'auth') return AUTH_OUTSIDE_REQUEST
  if (name === 'passkeys') return PASSKEYS_OUTSIDE_REQUEST
  if (name === 'getAccessToken') return TOKEN_OUTSIDE_REQUEST
  if (name === 'requireAuth' || name === 'sessions' || name === 'password')
    return `${name} was called outside a server component, a server action or a route handler. In the Pages Router, call ${IN_PAGES_ROUTER[name]}.`
  const owner = name === 'update' ? 'useSession() of lib-auth/react' : 'lib-auth/react'
  return `${name}() was called outside a server action or a route handler. In the browser, and with the Pages Router, call ${name}() of ${owner}.`
}

export function outsideRequest(name: FunctionName, cause: Error): InvalidConfiguration {
  return new InvalidConfiguration(`${describeOutside(name)} ${MOCK_HINT}`, { cause })
}
