/** Authentication for TanStack Start 1.169 and later, with React. */
import type { Provider } from '../../core/config/provider.ts'
import type { TokenProviderId } from '../../core/config/token-provider-id.ts'
import { InvalidConfiguration } from '../../core/errors/classes.ts'
import { asRecord } from '../../core/is-record.ts'
import type { DefaultSession, Session } from '../../core/types.ts'
import { requestParts } from '../shared/absolute-target.ts'
import { withCookies } from '../shared/cookies.ts'
import type { RequestAdapter } from '../shared/request-adapter.ts'
import { answerCall, isDataRequest, isResponse } from '../shared/responses.ts'
import type { Target } from '../shared/responses.ts'
import type {
  ConfigSource,
  InferredSource,
  ProtectOptions,
  ReadSession,
  SessionFunctions,
  SignInArgs,
  SignInOptions,
  SignOutOptions,
  WrapperConfig,
} from '../shared/types.ts'
import { wrap } from '../shared/wrap.ts'

export * from '../shared/exports.ts'
export type { ProtectOptions, SignOutOptions } from '../shared/types.ts'

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
  /** The path of the route, in a middleware of a route: `rewrite` and `basepath` of the router have been applied. */
  readonly pathname?: string
}

/** Result of {@link Lib}; `S` is the return type of the `session` callback, `Id` the ids of the providers. */
export interface LibResult<
  S extends DefaultSession = Session,
  Id extends string = string,
> extends SessionFunctions<[], S, Id> {
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
  readonly auth: ReadSession<[], S>
  /**
   * Signs in from a server function or a server route. Throws a redirect of the router; with `redirect: false` returns
   * the URL.
   *
   * @throws AuthError for rejected credentials; MissingCSRF for a request that another site sent
   */
  readonly signIn: (...args: SignInArgs<[], SignInOptions | FormData>) => Promise<string>
  /** Signs out. Throws a redirect of the router; with `redirect: false` returns the URL. */
  readonly signOut: (options?: SignOutOptions | FormData) => Promise<string>
}

const NO_MIDDLEWARE =
  'The middleware that sets cookies has not run before signIn, signOut or update. Add to src/start.ts: createStart(() => ({ requestMiddleware: [createMiddleware().server(lib.middleware)] }))'

/** Sent with calls of server functions by the browser. */
const CALL = ['x-tsr-serverfn']

/** The paths of the routes that {@link LibResult.protect} protects. */
const routedPaths = new WeakMap<Request, string>()

const parts = requestParts<Request>(
  (request) => request,
  // srvx, the server of TanStack Start, keeps the request of Node.js.
  (request) => asRecord(asRecord(asRecord(request)['runtime'])['node'])['req'],
)

const adapter: RequestAdapter<Request> = {
  ...parts,
  key: (request) => request,
  routed: (request) => routedPaths.get(request) ?? new URL(request.url).pathname,
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

/** @throws the redirect, unless the caller did not ask for it */
async function redirect(target: Target): Promise<string> {
  return target.redirects ? throwResponse(answerCall(target)) : target.url
}

function findResponse(result: object): Response | undefined {
  const response = 'response' in result ? result.response : result
  return isResponse(response) ? response : undefined
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
export default function Lib<
  S extends DefaultSession = Session,
  Known extends DefaultSession = S,
  P extends Provider = Provider,
>(source: InferredSource<Request, S, Known, P>): LibResult<S, TokenProviderId<P>>
export default function Lib(source: ConfigSource<Request>): LibResult {
  const lib = wrap(source, adapter)
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
      const result = await lib.collectCookies(request, async () => next())
      const response = findResponse(result)
      if (!response) return result
      const changed = withCookies(response, lib.unsentCookies(request, response))
      if (changed === response) return result
      // The router recognizes its redirects by `options`.
      return 'options' in response ? Object.assign(changed, { options: response.options }) : changed
    },
    async handler({ request, params }) {
      const req = await currentRequest()
      const { pathname } = new URL(request.url)
      const mount = pathname.slice(0, -1 - (params._splat?.length ?? 0))
      const isAbsolute = !parts.path(req).startsWith('/')
      if (isAbsolute || !(await lib.isRoute(req, pathname, mount)))
        return new Response(null, { status: 404 })
      return lib.answer(req, request)
    },
    protect:
      (options) =>
      async ({ next, pathname }) => {
        const request = await currentRequest()
        if (pathname !== undefined) routedPaths.set(request, pathname)
        const access = await lib.checkAccess(request, request.method, options)
        return isResponse(access) ? throwResponse(access) : next()
      },
    auth: lib.exposed('auth', async () => lib.auth(await currentRequest())),
    signIn: async (...given) => redirect(await lib.signIn(await changingRequest(), ...given)),
    signOut: async (...given) => redirect(await lib.signOut(await changingRequest(), ...given)),
    requestScopes: async (...given) =>
      redirect(await lib.requestScopes(await changingRequest(), ...given)),
    update: async (data) => lib.update(await changingRequest(), data),
    getAccessToken: async (...given) => lib.getAccessToken(await changingRequest(), ...given),
    requireAuth: async (options) => lib.requireAuth(await changingRequest(), options),
    sessions: {
      list: async (options) => lib.sessions.list(await changingRequest(), options),
      revoke: async (sid) => lib.sessions.revoke(await changingRequest(), sid),
      revokeOthers: async () => lib.sessions.revokeOthers(await changingRequest()),
    },
    account: {
      list: async () => lib.account.list(await changingRequest()),
      link: async (...given) => redirect(await lib.account.link(await changingRequest(), ...given)),
      unlink: async (...given) => lib.account.unlink(await changingRequest(), ...given),
      merge: async (...given) =>
        redirect(await lib.account.merge(await changingRequest(), ...given)),
      remove: async () => lib.account.remove(await changingRequest()),
      changeEmail: async (to) => lib.account.changeEmail(await changingRequest(), to),
      pendingEmail: async () => lib.account.pendingEmail(await changingRequest()),
      cancelEmail: async () => lib.account.cancelEmail(await changingRequest()),
    },
    password: {
      signUp: async (fields) => lib.password.signUp(await changingRequest(), fields),
      verifyEmail: async (fields) => lib.password.verifyEmail(await changingRequest(), fields),
      requestReset: async (fields) => lib.password.requestReset(await changingRequest(), fields),
      reset: async (fields) => lib.password.reset(await changingRequest(), fields),
      change: async (fields) => lib.password.change(await changingRequest(), fields),
      remove: async () => lib.password.remove(await changingRequest()),
      info: async () => lib.password.info(await changingRequest()),
    },
    factors: {
      list: async () => lib.factors.list(await changingRequest()),
      enroll: async (...given) => lib.factors.enroll(await changingRequest(), ...given),
      confirm: async (...given) => lib.factors.confirm(await changingRequest(), ...given),
      remove: async (id) => lib.factors.remove(await changingRequest(), id),
      renewRecoveryCodes: async () => lib.factors.renewRecoveryCodes(await changingRequest()),
    },
  }
}
