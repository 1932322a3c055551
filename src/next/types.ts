/** The configuration and the result of `Lib`. */
import type { NextApiRequest, NextApiResponse } from 'next/dist/shared/lib/utils.js'
import type { NextFetchEvent, NextRequest, NextResponse } from 'next/server.js'
import type { CallbacksOptions } from '../config/callbacks.ts'
import type { AuthConfig } from '../config/types.ts'
import type { TellsSession } from '../session-of.ts'
import type { Awaitable, DefaultSession, Hook, Session, Untyped, User } from '../types.ts'

/** What the `authorized` callback is told. */
export interface AuthorizedParams<S extends DefaultSession = Session> {
  readonly request: NextRequest
  /** `null`: nobody is signed in. */
  readonly auth: S | null
}

/** What a callback may return where nobody said more of the session than the library does. */
type Returned<S extends DefaultSession> = Session extends S ? S | DefaultSession : S

/** The callbacks of {@link CallbacksOptions}, and who may see which page. */
export interface LibCallbacks<
  S extends DefaultSession = Session,
  Returns extends DefaultSession = Returned<S>,
> extends CallbacksOptions<Returns> {
  /**
   * Runs in the proxy (middleware) before each page it matches. Something truthy lets the request pass, a
   * `Response` is sent in its place, everything else leads to the sign-in page.
   *
   * Write it below `session`: then `auth` has the type that `session` returns.
   */
  authorized?: Hook<
    [params: AuthorizedParams<S>],
    Awaitable<boolean | NextResponse | Response | null | undefined>
  >
}

/** The configuration of {@link Lib}; `S` is what the `session` callback returns. */
export interface LibConfig<
  S extends DefaultSession = Session,
  Returns extends DefaultSession = Returned<S>,
> extends Omit<AuthConfig, 'raw' | 'callbacks'> {
  callbacks?: LibCallbacks<S, Returns> | undefined
  /**
   * Around a handler of yours in the proxy, leave it to the handler to act on what `authorized` says. Without
   * it, what is not authorized does not reach the handler.
   *
   * @default false
   */
  authorizedInHandler?: boolean | undefined
}

/**
 * A configuration, or what makes one for a request: once for each. In server components and server actions, and
 * with the Pages Router, the request is made of what Next tells: the headers, and the path where it is known.
 *
 * Its URL and `Host` are the public origin: that of `AUTH_URL`, else the host of the request. `X-Forwarded-Host` is
 * visible only if `AUTH_TRUST_HOST` or the platform trusts it; a configuration that does not exist yet cannot.
 */
export type LibConfigSource<Config = LibConfig> =
  Config | ((request: NextRequest | undefined) => Awaitable<Config>)

/**
 * A configuration from which two types are inferred. The compiler settles `Known` as soon as it comes to
 * `authorized`, which knows no more than stands above it; `S` is what `session` returns, wherever it stands.
 */
export type InferredConfig<S extends DefaultSession, Known extends DefaultSession> = LibConfig<
  Known,
  Known
> & {
  // A function with parameters is an `object`, too: it is `LibConfig` alone that says which they are.
  callbacks?: { session?: (() => Awaitable<S | DefaultSession>) | object | undefined } | undefined
}

/** A request, and who sent it. */
export interface LibRequest<S extends DefaultSession = Session> extends NextRequest {
  /** `null`: nobody is signed in. */
  auth: S | null
}

/** The second argument of route handlers. */
export interface RouteContext {
  readonly params: Promise<Untyped>
}

/** What {@link AuthFunction} makes of a handler of yours: what Next calls. */
export type WrappedHandler<Context> = (request: NextRequest, context: Context) => Promise<Response>

/** A route handler. */
export type RouteHandler = WrappedHandler<RouteContext>

/** What Next calls as its proxy (middleware), and as an API route on the edge. */
export type ProxyHandler = WrappedHandler<NextFetchEvent>

/** A handler of yours that wants to know who sent the request. */
export type AuthHandler<Context = RouteContext, S extends DefaultSession = Session> = (
  request: LibRequest<S>,
  context: Context,
) => Awaitable<Response | NextResponse | null | undefined | void>

/** What is used of the context of `getServerSideProps`: its own type is in other files of Next 14 and Next 15. */
export interface PropsContext {
  readonly req: { readonly headers: object; readonly url?: string | undefined }
  readonly res: {
    readonly getHeader: (name: string) => unknown
    readonly setHeader: (name: string, value: string | readonly string[]) => unknown
  }
  readonly resolvedUrl: string
}

/** Who is signed in, asked from anywhere; `S` is what the `session` callback returns. */
export interface AuthFunction<S extends DefaultSession = Session> extends TellsSession<S> {
  /** In an API route of the Pages Router; without the response it only reads. */
  (request: NextApiRequest, response?: NextApiResponse): Promise<S | null>
  /** In `getServerSideProps`. */
  (context: PropsContext): Promise<S | null>
  /** As the proxy (middleware) itself. */
  (request: NextRequest, event: NextFetchEvent): Promise<Response>
  /**
   * Around a handler of yours: a route handler, a proxy (middleware), or an API route on the edge. Its second
   * parameter is what Next hands to such a handler; where nothing says which one it is, that of a route handler.
   */
  <Context extends RouteContext | NextFetchEvent = RouteContext>(
    handler: AuthHandler<Context, S>,
  ): WrappedHandler<Context>
  // Last, because this is the one that `ReturnType` and mocks of test runners see.
  /** In server components, server actions and route handlers. */
  (): Promise<S | null>
}

/** Options of {@link SignIn}; everything else is sent along, as to `authorize`. */
export interface SignInOptions extends Record<string, unknown> {
  /** Where to go afterwards: a path of the site. @default the current page */
  redirectTo?: string
  /** `false`: return the URL instead of going there. @default true */
  redirect?: boolean
}

/** Parameters for the authorization request of a provider; they replace configured ones of the same name. */
export type AuthorizationParams =
  string | Record<string, string> | URLSearchParams | [string, string][]

/**
 * Starts a sign-in from a server action or a route handler. Without a provider, leads to the sign-in page.
 *
 * A sign-in by e-mail or at a provider that fails leads to the page that explains it, with `error` in the query.
 *
 * @throws AuthError when credentials are refused, and for configuration errors; rethrow everything that is not an
 * `AuthError`, because redirects are thrown too
 */
export type SignIn = <R extends boolean = true>(
  provider?: string,
  options?: FormData | (SignInOptions & { redirect?: R }),
  authorizationParams?: AuthorizationParams,
) => Promise<R extends false ? Untyped : never>

/** Where somebody goes who has signed out: the URL, under the names it has been asked for by. */
export interface SignOutUrl extends URL {
  readonly redirect: string
  readonly url: string
}

/** Signs out from a server action or a route handler. */
export type SignOut = <R extends boolean = true>(options?: {
  /** Where to go afterwards: a path of the site. @default the current page */
  redirectTo?: string
  /** `false`: return the URL instead of going there. @default true */
  redirect?: R
}) => Promise<R extends false ? Untyped : never>

/** Lets the `jwt` and `session` callbacks change the session with this data. */
export type Update<S extends DefaultSession = Session> = NonNullable<
  Hook<
    [data: Partial<Session | S> | { user: Partial<User | NonNullable<S['user']>> }],
    Promise<S | null>
  >
>

/**
 * A built-in route. An interface, so that declaration files name it and not the types of Next, which is not possible
 * with the folders of pnpm.
 */
export interface BuiltInHandler {
  (request: NextRequest): Promise<Response>
}

/** What {@link Lib} returns; `S` is what the `session` callback returns. */
export interface LibResult<S extends DefaultSession = Session> {
  /** For the catch-all route at the base path. */
  readonly handlers: Record<'GET' | 'POST', BuiltInHandler>
  readonly auth: AuthFunction<S>
  readonly signIn: SignIn
  readonly signOut: SignOut
  readonly unstable_update: Update<S>
  /** The same as `unstable_update`. */
  readonly update: Update<S>
}
