/** Authentication for TanStack Start 1.169 and later, with React. */
import { InvalidConfiguration } from '../../core/errors/classes.ts'
import { isRecord } from '../../core/is-record.ts'
import type { TellsSession } from '../../core/session/session-of.ts'
import type { DefaultSession, Session } from '../../core/types.ts'
import { isAbsoluteTarget, withoutHost } from '../shared/absolute-target.ts'
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
import { wrap } from '../shared/wrap.ts'
import type { Target } from '../shared/wrap.ts'

export * from '../shared/exports.ts'
import { isResponse } from '../shared/is-response.ts'
export type { ProtectOptions, SignOutOptions }

/** The configuration of {@link Lib}; `S` is what the `session` callback returns. */
export type LibConfig<S extends DefaultSession = Session> = WrapperConfig<Request, S>

/** The used part of what the handlers of a server route receive. */
export interface RouteContext {
  readonly request: Request
  readonly params: { readonly _splat?: string | undefined }
}

/** The used part of what the functions of a middleware receive; `R` is what `next` returns. */
export interface MiddlewareContext<R> {
  readonly next: () => R | Promise<R>
}

/** Result of {@link Lib}; `S` is the return type of the `session` callback. */
export interface LibResult<S extends DefaultSession = Session> {
  /**
   * For `requestMiddleware` in `src/start.ts`, as `createMiddleware().server(lib.middleware)`: sets the cookies of
   * sign-ins and of extended sessions.
   */
  readonly middleware: <R extends object>(context: MiddlewareContext<R>) => Promise<R | Response>
  /** For the server route `auth/$`, as the handler `ANY`: handles the built-in routes. */
  readonly handler: (context: RouteContext) => Promise<Response>
  /**
   * For a middleware of server functions or server routes, as `createMiddleware().server(lib.protect())`: rejects
   * unauthenticated requests. A navigation is redirected to the sign-in page; a call from the browser fails with a
   * `Response` with status 401.
   */
  readonly protect: (
    options?: ProtectOptions<Request, S>,
  ) => <R>(context: MiddlewareContext<R>) => Promise<R>
  /** Reads the session, once per request. @throws SessionUnavailable if the session lookup fails */
  readonly auth: TellsSession<S> & (() => Promise<S | null>)
  /**
   * Signs in from a server function or a server route. Throws a redirect of the router; with `redirect: false` returns
   * the URL.
   *
   * @throws AuthError for rejected credentials; MissingCSRF for a request that another site sent
   */
  readonly signIn: (
    provider?: string,
    options?: SignInOptions | FormData,
    authorizationParams?: AuthorizationParams,
  ) => Promise<string>
  /** Signs out. Throws a redirect of the router; with `redirect: false` returns the URL. */
  readonly signOut: (options?: SignOutOptions | FormData) => Promise<string>
  /** Passes data to the `jwt` and `session` callbacks, and returns the updated session. */
  readonly update: (data: unknown) => Promise<S | null>
}

const NO_MIDDLEWARE =
  'The middleware that sets cookies has not run before signIn, signOut or update. Add to src/start.ts: createStart(() => ({ requestMiddleware: [createMiddleware().server(lib.middleware)] }))'

/** Sent with calls of server functions by the browser. */
const CALL = ['x-tsr-serverfn']

/** srvx, the server of TanStack Start, keeps the request of Node.js. */
function isAbsolute(request: Request): boolean {
  if (!('runtime' in request) || !isRecord(request.runtime)) return false
  const { node } = request.runtime
  return isRecord(node) && isAbsoluteTarget(node['req'])
}

const surface: Surface<Request> = {
  key: (request) => request,
  headers: ({ headers }) => headers,
  url(request) {
    const url = new URL(request.url)
    return isAbsolute(request) ? withoutHost(url) : url
  },
  path: (request) => (isAbsolute(request) ? request.url : new URL(request.url).pathname),
  ignored: () => 'case and trailing slash',
  isDataRequest: ({ headers }) => isDataRequest(headers, CALL),
}

/** The request that is being handled, which the framework keeps in an `AsyncLocalStorage`. */
async function currentRequest(): Promise<Request> {
  const { getRequest } = await import('@tanstack/react-start/server')
  return getRequest()
}

/** The type `Redirect` of the router. Browsers load the URL as a document: pages of the library are no routes. */
function asRedirect(href: string, { status, headers }: Response): Response {
  const options = { href, statusCode: status, reloadDocument: true }
  return Object.assign(new Response(null, { status, headers }), { options })
}

/** TanStack Start sends a thrown response: a returned one is the result of a server function. */
function throwResponse(response: Response): Promise<never> {
  const location = response.headers.get('location')
  return Promise.reject(location === null ? response : asRedirect(location, response))
}

async function leave({ url, redirects }: Target): Promise<string> {
  if (!redirects) return url
  return throwResponse(new Response(null, { status: 303, headers: { location: url } }))
}

function responseOf(result: object): Response | undefined {
  const response = 'response' in result ? result.response : result
  return isResponse(response) ? response : undefined
}

/** A copy, because an application may send one response to several users. */
function withCookies(response: Response, cookies: readonly string[]): Response {
  const copy = withHeaders(response, NOT_SHARED)
  for (const cookie of cookies) copy.headers.append('set-cookie', cookie)
  // Makes a response a redirect of the router.
  return 'options' in response ? Object.assign(copy, { options: response.options }) : copy
}

/**
 * Creates the middleware and functions for authentication in a TanStack Start application.
 *
 * @param source - the configuration, or a function that receives the request and returns it
 * @example
 * ```ts
 * // src/auth.ts
 * import Lib from 'lib-auth/tanstack-start'
 * import GitHub from 'lib-auth/providers/github'
 *
 * export const lib = Lib({ providers: [GitHub] })
 * ```
 */
export default function Lib<S extends DefaultSession = Session, Known extends DefaultSession = S>(
  source: ConfigSource<Request, InferredConfig<Request, S, Known>>,
): LibResult<S>
export default function Lib(source: ConfigSource<Request>): LibResult {
  const lib = wrap(source, surface)
  const covered = new WeakSet<Request>()

  const changingRequest = async (): Promise<Request> => {
    const request = await currentRequest()
    if (!covered.has(request)) throw new InvalidConfiguration(NO_MIDDLEWARE)
    return request
  }

  return {
    async middleware({ next }) {
      const request = await currentRequest()
      covered.add(request)
      const result = await next()
      const response = responseOf(result)
      if (!response) return result
      const cookies = lib.unsentCookies(request, response)
      return cookies.length === 0 ? result : withCookies(response, cookies)
    },
    async handler({ request, params }) {
      const ask = await currentRequest()
      const { pathname } = new URL(request.url)
      const mount = pathname.slice(0, -1 - (params._splat?.length ?? 0))
      if (isAbsolute(ask) || !(await lib.isRoute(ask, pathname, mount)))
        return new Response(null, { status: 404 })
      return lib.answer(ask, request)
    },
    protect:
      (options) =>
      async ({ next }) => {
        const request = await currentRequest()
        const admission = await lib.admit(request, request.method, options)
        return isResponse(admission) ? throwResponse(admission) : next()
      },
    auth: lib.exposed('auth', async () => lib.auth(await currentRequest())),
    signIn: async (...given) => leave(await lib.signIn(await changingRequest(), ...given)),
    signOut: async (...given) => leave(await lib.signOut(await changingRequest(), ...given)),
    update: async (data) => lib.update(await changingRequest(), data),
  }
}
