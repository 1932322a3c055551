import { InvalidConfiguration } from '../../core/errors/classes.ts'

/** How `auth`, a wrapped handler or a built-in route was called wrongly. */
export type Misuse =
  'route' | 'edge route' | 'unknown' | 'plain request' | 'Node request' | 'routes'

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

/** Loaded on demand, because the proxy would load the messages before the first request. */
export function misuseError(misuse: Misuse): InvalidConfiguration {
  return new InvalidConfiguration(MESSAGES[misuse])
}
