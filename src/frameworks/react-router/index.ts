/** Authentication for React Router 7.9 and later, in framework mode. */
import type { MiddlewareFunction, RouterContextProvider } from 'react-router'
import { InvalidConfiguration } from '../../core/errors/classes.ts'
import type { TellsSession } from '../../core/session/session-of.ts'
import type { DefaultSession, Session } from '../../core/types.ts'
import { NOT_SHARED, withHeaders } from '../shared/cookies.ts'
import { isDataRequest } from '../shared/navigation.ts'
import type { Surface } from '../shared/request-adapter.ts'
import type {
  AuthorizationParams,
  ConfigSource,
  InferredConfig,
  ProtectOptions,
  SignInOptions,
  SignOutOptions,
  WrapperConfig,
} from '../shared/types.ts'
import { rejectUncalled, requireNext } from '../shared/misuse.ts'
import { wrap } from '../shared/wrap.ts'
import type { Target } from '../shared/wrap.ts'

export * from '../shared/exports.ts'
import { isResponse } from '../shared/is-response.ts'
export type { ProtectOptions, SignOutOptions }

/** What loaders, actions and middleware receive: `Route.LoaderArgs`, `Route.ActionArgs`. */
export interface RouteArgs {
  readonly request: Request
  readonly context: Readonly<RouterContextProvider>
  /** The URL without the suffix `.data` of the router's own requests; missing in early releases of 7. */
  readonly url?: URL
}

/** The configuration of {@link Lib}; `S` is what the `session` callback returns. */
export type LibConfig<S extends DefaultSession = Session> = WrapperConfig<RouteArgs, S>

/** Result of {@link Lib}; `S` is the return type of the `session` callback. */
export interface LibResult<S extends DefaultSession = Session> {
  /** For `app/root.tsx`: makes the session available to `auth`, and sets the cookies of an extended session. */
  readonly middleware: MiddlewareFunction<Response>
  /** For the route `auth/*`, which needs a `loader` and an `action`: handles the built-in routes. */
  readonly handler: MiddlewareFunction<Response>
  /**
   * For a layout route with a `loader`: rejects unauthenticated requests for it and its child routes. The router is
   * redirected to the sign-in page, a request with `Accept: application/json` receives 401.
   */
  readonly protect: (options?: ProtectOptions<RouteArgs, S>) => MiddlewareFunction<Response>
  /** Reads the session, once per request. @throws SessionUnavailable if the session lookup fails */
  readonly auth: TellsSession<S> & ((context: Readonly<RouterContextProvider>) => Promise<S | null>)
  /**
   * Signs in from an action. Return its result: the redirect (303), or with `redirect: false` the URL as JSON.
   *
   * @throws AuthError for rejected credentials; MissingCSRF for a request that another site sent
   */
  readonly signIn: (
    args: RouteArgs,
    provider?: string,
    options?: SignInOptions | FormData,
    authorizationParams?: AuthorizationParams,
  ) => Promise<Response>
  /** Signs out from an action. Return its result: the redirect (303), or with `redirect: false` the URL as JSON. */
  readonly signOut: (args: RouteArgs, options?: SignOutOptions) => Promise<Response>
  /** Passes data to the `jwt` and `session` callbacks, and returns the updated session. */
  readonly update: (args: RouteArgs, data: unknown) => Promise<S | null>
}

const NO_CONTEXT =
  'React Router passed a context without the method get. Set future: { v8_middleware: true } in react-router.config.ts, and let getLoadContext return a RouterContextProvider.'

const NO_MIDDLEWARE =
  'The middleware has not run before auth or update. Add to app/root.tsx: export const middleware = [lib.middleware]'

const SHARED_CONTEXT =
  'Several requests have the same context, so that the session of one could be shown in another. Let getLoadContext return a new RouterContextProvider for each request.'

/** The router loads a document instead of a route: pages of the library are no routes, and sessions are read again. */
const DOCUMENT = { 'x-remix-reload-document': 'true' }

/** React Router 8 passes its own requests on with their suffix `.data`. */
function urlOf({ request, url }: RouteArgs): URL {
  return url ?? new URL(request.url)
}

/**
 * By the header Accept alone: React Router 7 removes the suffix `.data`, so that requests of the router, which follow
 * redirects, look the same as those of `fetch`.
 */
function isScript({ request }: RouteArgs): boolean {
  const headers = new Headers(request.headers)
  headers.delete('sec-fetch-dest')
  return isDataRequest(headers)
}

/** A request, from its first middleware to its last. The router copies the object for loaders and actions. */
interface Visit {
  readonly args: RouteArgs
}

/** The requests of a context: one, unless the application passes one context to all. */
interface Visits {
  last: Visit
  readonly active: Set<Visit>
  isShared: boolean
}

const byRequest = new WeakMap<Request, Visit>()
const byContext = new WeakMap<object, Visits>()

/** The visit of a context that is not shared; of a shared one, the only visit that has not ended. */
function knownVisit(context: object): Visit | undefined {
  const visits = byContext.get(context)
  if (!visits?.isShared) return visits?.last
  const [visit, ...others] = visits.active
  if (visit && others.length === 0) return visit
  throw new InvalidConfiguration(SHARED_CONTEXT)
}

function visitOf(args: RouteArgs): Visit {
  const visit = byRequest.get(args.request) ?? knownVisit(args.context) ?? { args }
  byRequest.set(args.request, visit)
  return visit
}

/** Runs middleware of a request. */
async function during(args: RouteArgs, run: () => Promise<Response>): Promise<Response> {
  const visit = byRequest.get(args.request) ?? { args }
  byRequest.set(args.request, visit)
  const visits = byContext.get(args.context) ?? { last: visit, active: new Set(), isShared: false }
  byContext.set(args.context, visits)
  visits.isShared ||= visits.last !== visit
  visits.last = visit
  if (visits.active.has(visit)) return run()
  visits.active.add(visit)
  try {
    return await run()
  } finally {
    visits.active.delete(visit)
  }
}

const surface: Surface<RouteArgs> = {
  key: visitOf,
  headers: ({ request }) => request.headers,
  url: urlOf,
  ignored: () => 'case and trailing slash',
  isDataRequest: isScript,
}

function isPage({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/html') ?? false
}

/**
 * Creates the middleware and functions for authentication in a React Router application.
 *
 * @param source - the configuration, or a function that receives the arguments of a middleware and returns it
 * @example
 * ```ts
 * // app/auth.server.ts
 * import Lib from 'lib-auth/react-router'
 * import GitHub from 'lib-auth/providers/github'
 *
 * export const lib = Lib({ providers: [GitHub] })
 * ```
 */
export default function Lib<S extends DefaultSession = Session, Known extends DefaultSession = S>(
  source: ConfigSource<RouteArgs, InferredConfig<RouteArgs, S, Known>>,
): LibResult<S>
export default function Lib(source: ConfigSource<RouteArgs>): LibResult {
  const lib = wrap(source, surface)

  const knownArgs = (context: object): RouteArgs => {
    const visit = knownVisit(context)
    if (visit) return visit.args
    throw new InvalidConfiguration('get' in context ? NO_MIDDLEWARE : NO_CONTEXT)
  }

  const runMiddleware = (args: RouteArgs, run: () => Promise<Response>) =>
    during(args, async () => {
      if (byContext.get(args.context)?.isShared)
        await lib.warnOnce(args, 'shared-context', SHARED_CONTEXT)
      return run()
    })

  const withCookies = (args: RouteArgs, response: Response): Response => {
    const cookies = lib.unsentCookies(args, response)
    if (cookies.length === 0) return response
    const changed = withHeaders(response, NOT_SHARED)
    for (const cookie of cookies) changed.headers.append('set-cookie', cookie)
    return changed
  }

  const answerCall = (args: RouteArgs, { url, redirects }: Target): Response =>
    withCookies(
      args,
      redirects
        ? new Response(null, { status: 303, headers: { ...DOCUMENT, location: url } })
        : Response.json({ url }),
    )

  return {
    middleware: async (args, next) =>
      runMiddleware(args, async () => withCookies(args, await next())),
    async handler(args, next) {
      const { request } = args
      const url = urlOf(args)
      const mount = url.pathname.slice(0, -1 - (args.params['*']?.length ?? 0))
      if (!(await lib.isRoute(args, url.pathname, mount)))
        return new Response(null, { status: 404 })
      const sent =
        url.pathname === new URL(request.url).pathname ? request : new Request(url, request)
      const response = await lib.answer(args, sent)
      if (request.method !== 'GET' || !isPage(response)) return response
      // The router cannot show the page. Only its own requests lead to a response with this header.
      if (!(await next()).headers.has('x-remix-response')) return response
      return new Response(null, { status: 302, headers: { ...DOCUMENT, location: url.href } })
    },
    protect(options, ...rest: readonly unknown[]) {
      rejectUncalled(rest)
      return async (args, next) => {
        requireNext(next)
        return runMiddleware(args, async () => {
          const admission = await lib.admit(args, args.request.method, options)
          if (!isResponse(admission)) return withCookies(args, await next())
          return admission.headers.has('location') ? withHeaders(admission, DOCUMENT) : admission
        })
      }
    },
    auth: lib.exposed('auth', async (context) => lib.auth(knownArgs(context))),
    signIn: async (args, ...given) => answerCall(args, await lib.signIn(args, ...given)),
    signOut: async (args, ...given) => answerCall(args, await lib.signOut(args, ...given)),
    // Only middleware can set the cookies.
    update: async ({ context }, data) => lib.update(knownArgs(context), data),
  }
}
