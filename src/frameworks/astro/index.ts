/** Authentication for Astro 5 and later. */
import type { Provider } from '../../core/config/provider.ts'
import type { TokenProviderId } from '../../core/config/token-provider-id.ts'
import { InvalidConfiguration } from '../../core/errors/classes.ts'
import type { CookieAttributes, DefaultSession, Session } from '../../core/types.ts'
import { NOT_SHARED, nextCookieHeader, withHeaders } from '../shared/cookies.ts'
import type { RequestAdapter } from '../shared/request-adapter.ts'
import { answerCall, isResponse } from '../shared/responses.ts'
import type {
  ConfigSource,
  Implementation,
  InferredSource,
  ProtectOptions,
  ReadSession,
  RespondingFunctions,
  SessionAccess,
  WrapperConfig,
} from '../shared/types.ts'
import { wrap } from '../shared/wrap.ts'

export * from '../shared/exports.ts'
export type {
  ProtectOptions,
  SessionAccess as SessionLocals,
  SignOutOptions,
} from '../shared/types.ts'

declare global {
  namespace App {
    // An application with another type of session declares the member itself.
    interface Locals extends SessionAccess {}
  }
}

/** The used part of `Astro`, and of the context of endpoints, actions and middleware. */
export interface AstroContext {
  readonly request: Request
  readonly locals: App.Locals
  readonly isPrerendered: boolean
  /** The path of the file in `src/pages`: `/auth/[...auth]`. */
  readonly routePattern: string
  readonly cookies: {
    headers(): Iterable<string>
    set(name: string, value: string, options?: CookieAttributes): void
  }
}

/** The configuration of {@link Lib}; `S` is what the `session` callback returns. */
export type LibConfig<S extends DefaultSession = Session> = WrapperConfig<AstroContext, S>

/** Result of {@link Lib}; `S` is the return type of the `session` callback, `Id` the ids of the providers. */
export interface LibResult<
  S extends DefaultSession = Session,
  Id extends string = string,
> extends RespondingFunctions<[context: AstroContext], S, Id, FormData> {
  /** The endpoint of the routes, for `src/pages/auth/[...auth].ts`. */
  readonly ALL: (context: AstroContext) => Promise<Response>
  /** The middleware: handles the routes, sets `locals.auth`, and sends what `protect` responds. */
  readonly onRequest: (context: AstroContext, next: () => Promise<Response>) => Promise<Response>
  /** Reads the session; `null` on prerendered pages. @throws SessionUnavailable if the session lookup fails */
  readonly auth: ReadSession<[context: AstroContext], S>
  /**
   * Returns the session of a signed-in user. Otherwise throws an error that `onRequest` answers: a navigation is redirected
   * to the sign-in page, a script receives 401.
   *
   * @throws InvalidConfiguration on a prerendered page, which has no request
   */
  readonly protect: (context: AstroContext, options?: ProtectOptions<AstroContext, S>) => Promise<S>
}

type Cookies = AstroContext['cookies']

/** Requests whose response sets cookies of ours. */
const changed = new WeakSet<Cookies>()

/** Requests whose headers have been sent; Astro streams the components of a page after them. */
const sent = new WeakSet<Cookies>()

const adapter: RequestAdapter<AstroContext> = {
  // One object for each request, also while it is rewritten. `locals` may belong to the server that embeds Astro.
  key: ({ cookies }) => cookies,
  headers: ({ request }) => request.headers,
  method: ({ request }) => request.method,
  url: ({ request }) => new URL(request.url),
  ignored: () => 'trailing slash',
  isForAll: ({ isPrerendered }) => isPrerendered,
  cookies: ({ request, cookies }) =>
    nextCookieHeader(request.headers.get('cookie'), [...cookies.headers()]),
  setCookies({ cookies }, changes) {
    if (sent.has(cookies))
      throw new TypeError('Cookies cannot be set after the headers of the response have been sent.')
    changed.add(cookies)
    for (const { name, value, options } of changes) cookies.set(name, value, options)
  },
}

/** The responses of `protect`, by the errors that it throws: Astro has no exception for a response. */
const rejections = new WeakMap<object, Response>()

function findRejection(error: unknown): Response {
  const response = error instanceof Object ? rejections.get(error) : undefined
  if (response) return response
  throw error
}

const requestPath = ({ request }: AstroContext) => new URL(request.url).pathname

/**
 * Creates the middleware and functions for authentication in an Astro application.
 *
 * @param source - the configuration, or a function that receives the context and returns it
 * @example
 * ```ts
 * // src/auth.ts
 * import Lib from 'lib-auth/astro'
 * import GitHub from 'lib-auth/providers/github'
 *
 * export const { ALL, onRequest, auth, protect, signIn, signOut } = Lib({ providers: [GitHub] })
 * ```
 */
export default function Lib<
  S extends DefaultSession = Session,
  Known extends DefaultSession = S,
  P extends Provider = Provider,
>(source: InferredSource<AstroContext, S, Known, P>): LibResult<S, TokenProviderId<P>>
export default function Lib(
  source: ConfigSource<AstroContext>,
): Implementation<LibResult, AstroContext> {
  const lib = wrap(source, adapter)

  return {
    async ALL(context) {
      await lib.isRoute(context, requestPath(context), context.routePattern.split('/[', 1)[0])
      return lib.answer(context, context.request)
    },
    async onRequest(context, next) {
      context.locals.auth = lib.bindAuth(context)
      if (context.isPrerendered) return next()
      if (await lib.isRoute(context, requestPath(context)))
        return lib.answer(context, context.request)
      const { cookies } = context
      const response = await next().catch(findRejection)
      // After a rewrite, the context has another object with these cookies.
      const all = [cookies, context.cookies]
      for (const each of all) sent.add(each)
      return all.some((each) => changed.has(each)) ? withHeaders(response, NOT_SHARED) : response
    },
    auth: lib.auth,
    protect: lib.exposed('protect', async (context, options) => {
      if (context.isPrerendered)
        throw new InvalidConfiguration(
          `protect was called on the prerendered page ${context.routePattern}, which every visitor receives. Add \`export const prerender = false\` to the page.`,
        )
      const access = await lib.checkAccess(context, context.request.method, options)
      if (!isResponse(access)) return access
      const rejection = new Error(
        'protect rejected this request. To have its response sent, export onRequest in src/middleware.ts, and call protect in pages, not in components.',
      )
      rejections.set(rejection, access)
      throw rejection
    }),
    signIn: async (...args) => answerCall(await lib.signIn(...args)),
    signOut: async (...args) => answerCall(await lib.signOut(...args)),
    requestScopes: async (...args) => answerCall(await lib.requestScopes(...args)),
    update: lib.update,
    getAccessToken: lib.getAccessToken,
    requireAuth: lib.requireAuth,
    sessions: lib.sessions,
    password: lib.password,
    account: {
      ...lib.account,
      link: async (...args) => answerCall(await lib.account.link(...args)),
      merge: async (...args) => answerCall(await lib.account.merge(...args)),
    },
    factors: lib.factors,
  }
}
