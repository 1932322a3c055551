/** Authentication for React Router 7.9 and later, in framework mode. */
import type { MiddlewareFunction, RouterContextProvider } from 'react-router'
import type { Provider } from '../../core/config/provider.ts'
import type { TokenProviderId } from '../../core/config/token-provider-id.ts'
import { InvalidConfiguration } from '../../core/errors/classes.ts'
import type { DefaultSession, Session } from '../../core/types.ts'
import { withCookies, withHeaders } from '../shared/cookies.ts'
import { rejectUncalled, requireNext } from '../shared/misuse.ts'
import type { RequestAdapter } from '../shared/request-adapter.ts'
import { answerCall, isDataRequest, isResponse } from '../shared/responses.ts'
import type { Target } from '../shared/responses.ts'
import type {
  ConfigSource,
  InferredSource,
  ProtectOptions,
  ReadSession,
  RespondingFunctions,
  WrapperConfig,
} from '../shared/types.ts'
import { wrap } from '../shared/wrap.ts'

export * from '../shared/exports.ts'
export type { ProtectOptions, SignOutOptions } from '../shared/types.ts'

/** What loaders, actions and middleware receive: `Route.LoaderArgs`, `Route.ActionArgs`. */
export interface RouteArgs {
  readonly request: Request
  readonly context: Readonly<RouterContextProvider>
  /** The URL without the suffix `.data` of the router's own requests; missing in early releases of 7. */
  readonly url?: URL
}

/** The configuration of {@link Lib}; `S` is what the `session` callback returns. */
export type LibConfig<S extends DefaultSession = Session> = WrapperConfig<RouteArgs, S>

/** Result of {@link Lib}; `S` is the return type of the `session` callback, `Id` the ids of the providers. */
export interface LibResult<
  S extends DefaultSession = Session,
  Id extends string = string,
> extends RespondingFunctions<[args: RouteArgs], S, Id> {
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
  readonly auth: ReadSession<[context: Readonly<RouterContextProvider>], S>
}

const NO_CONTEXT =
  'React Router passed a context without the method get. Set future: { v8_middleware: true } in react-router.config.ts, and let getLoadContext return a RouterContextProvider.'

const NO_MIDDLEWARE =
  'The middleware has not run before auth or update. Add to app/root.tsx: export const middleware = [lib.middleware]'

const SHARED_CONTEXT =
  'Several requests have the same context, so that the session of one could be shown in another. Let getLoadContext return a new RouterContextProvider for each request.'

/** Makes the router load a document: pages of the library are not routes, and the session has to be read again. */
const DOCUMENT_HEADERS = { 'x-remix-reload-document': 'true' }

/** `request` of React Router 8 still has the suffix `.data` of the router's own requests. */
function requestUrl({ request, url }: RouteArgs): URL {
  return url ?? new URL(request.url)
}

/**
 * Decides by the header Accept alone: requests of the router, which follow redirects, have the same `Sec-Fetch-Dest` as
 * those of `fetch`, and React Router 7 removes their suffix `.data`.
 */
function isScript({ request }: RouteArgs): boolean {
  const headers = new Headers(request.headers)
  headers.delete('sec-fetch-dest')
  return isDataRequest(headers)
}

/** The requests of a context: one, unless the application passes one context to all. */
interface ContextState {
  last: RouteArgs
  readonly active: Set<RouteArgs>
  isShared: boolean
}

/** The arguments of the first middleware identify a request: the router copies the request for loaders and actions. */
const byRequest = new WeakMap<Request, RouteArgs>()
const byContext = new WeakMap<object, ContextState>()

/** The request of the context; if several requests share it, the only one that has not ended. */
function activeArgs(context: object): RouteArgs | undefined {
  const state = byContext.get(context)
  if (!state?.isShared) return state?.last
  const [args, ...others] = state.active
  if (args && others.length === 0) return args
  throw new InvalidConfiguration(SHARED_CONTEXT)
}

function firstArgs(args: RouteArgs): RouteArgs {
  const first = byRequest.get(args.request) ?? activeArgs(args.context) ?? args
  byRequest.set(args.request, first)
  return first
}

/** Runs middleware of a request, which is active in its context meanwhile. */
async function runActive(args: RouteArgs, run: () => Promise<Response>): Promise<Response> {
  const first = byRequest.get(args.request) ?? args
  byRequest.set(args.request, first)
  const state = byContext.get(args.context) ?? { last: first, active: new Set(), isShared: false }
  byContext.set(args.context, state)
  state.isShared ||= state.last !== first
  state.last = first
  if (state.active.has(first)) return run()
  state.active.add(first)
  try {
    return await run()
  } finally {
    state.active.delete(first)
  }
}

const adapter: RequestAdapter<RouteArgs> = {
  key: firstArgs,
  headers: ({ request }) => request.headers,
  method: ({ request }) => request.method,
  url: requestUrl,
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
export default function Lib<
  S extends DefaultSession = Session,
  Known extends DefaultSession = S,
  P extends Provider = Provider,
>(source: InferredSource<RouteArgs, S, Known, P>): LibResult<S, TokenProviderId<P>>
export default function Lib(source: ConfigSource<RouteArgs>): LibResult {
  const lib = wrap(source, adapter)

  const knownArgs = (context: object): RouteArgs => {
    const args = activeArgs(context)
    if (args) return args
    throw new InvalidConfiguration('get' in context ? NO_MIDDLEWARE : NO_CONTEXT)
  }

  const runMiddleware = (args: RouteArgs, run: () => Promise<Response>) =>
    runActive(args, async () => {
      if (byContext.get(args.context)?.isShared)
        await lib.warnOnce(args, 'shared-context', SHARED_CONTEXT)
      return run()
    })

  const addCookies = (args: RouteArgs, response: Response) =>
    withCookies(response, lib.unsentCookies(args, response))

  const withCollected = async (args: RouteArgs, next: () => Promise<Response>) =>
    addCookies(args, await lib.collectCookies(args, next))

  const respond = (args: RouteArgs, target: Target) =>
    addCookies(args, answerCall(target, DOCUMENT_HEADERS))

  return {
    middleware: async (args, next) => runMiddleware(args, () => withCollected(args, next)),
    async handler(args, next) {
      const { request } = args
      const url = requestUrl(args)
      const mount = url.pathname.slice(0, -1 - (args.params['*']?.length ?? 0))
      if (!(await lib.isRoute(args, url.pathname, mount)))
        return new Response(null, { status: 404 })
      const sent =
        url.pathname === new URL(request.url).pathname ? request : new Request(url, request)
      const response = await lib.answer(args, sent)
      if (request.method !== 'GET' || !isPage(response)) return response
      // The router in the browser cannot show a page of the library. Only responses to its requests have this header.
      if (!(await next()).headers.has('x-remix-response')) return response
      return new Response(null, {
        status: 302,
        headers: { ...DOCUMENT_HEADERS, location: url.href },
      })
    },
    protect(options, ...rest: readonly unknown[]) {
      rejectUncalled(rest)
      return async (args, next) => {
        requireNext(next)
        return runMiddleware(args, async () => {
          const access = await lib.checkAccess(args, args.request.method, options)
          if (!isResponse(access)) return withCollected(args, next)
          return access.headers.has('location') ? withHeaders(access, DOCUMENT_HEADERS) : access
        })
      }
    },
    auth: lib.exposed('auth', async (context) => lib.auth(knownArgs(context))),
    signIn: async (args, ...given) => respond(args, await lib.signIn(args, ...given)),
    signOut: async (args, ...given) => respond(args, await lib.signOut(args, ...given)),
    requestScopes: async (args, ...given) => respond(args, await lib.requestScopes(args, ...given)),
    // Only middleware can set the cookies.
    update: async ({ context }, data) => lib.update(knownArgs(context), data),
    getAccessToken: async ({ context }, ...given) =>
      lib.getAccessToken(knownArgs(context), ...given),
    requireAuth: async ({ context }, options) => lib.requireAuth(knownArgs(context), options),
    sessions: {
      list: async ({ context }, options) => lib.sessions.list(knownArgs(context), options),
      revoke: async ({ context }, sid) => lib.sessions.revoke(knownArgs(context), sid),
      revokeOthers: async ({ context }) => lib.sessions.revokeOthers(knownArgs(context)),
    },
    account: {
      list: async ({ context }) => lib.account.list(knownArgs(context)),
      link: async (args, ...given) => respond(args, await lib.account.link(args, ...given)),
      unlink: async ({ context }, ...given) => lib.account.unlink(knownArgs(context), ...given),
      merge: async (args, ...given) => respond(args, await lib.account.merge(args, ...given)),
      remove: async ({ context }) => lib.account.remove(knownArgs(context)),
      changeEmail: async ({ context }, to) => lib.account.changeEmail(knownArgs(context), to),
      pendingEmail: async ({ context }) => lib.account.pendingEmail(knownArgs(context)),
      cancelEmail: async ({ context }) => lib.account.cancelEmail(knownArgs(context)),
    },
    password: {
      signUp: async ({ context }, fields) => lib.password.signUp(knownArgs(context), fields),
      verifyEmail: async ({ context }, fields) =>
        lib.password.verifyEmail(knownArgs(context), fields),
      requestReset: async ({ context }, fields) =>
        lib.password.requestReset(knownArgs(context), fields),
      reset: async ({ context }, fields) => lib.password.reset(knownArgs(context), fields),
      change: async ({ context }, fields) => lib.password.change(knownArgs(context), fields),
      remove: async ({ context }) => lib.password.remove(knownArgs(context)),
      info: async ({ context }) => lib.password.info(knownArgs(context)),
    },
    factors: {
      list: async ({ context }) => lib.factors.list(knownArgs(context)),
      enroll: async ({ context }, ...given) => lib.factors.enroll(knownArgs(context), ...given),
      confirm: async ({ context }, ...given) => lib.factors.confirm(knownArgs(context), ...given),
      remove: async ({ context }, id) => lib.factors.remove(knownArgs(context), id),
      renewRecoveryCodes: async ({ context }) => lib.factors.renewRecoveryCodes(knownArgs(context)),
    },
  }
}
