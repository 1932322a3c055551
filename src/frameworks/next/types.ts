import type { NextApiRequest, NextApiResponse } from 'next/dist/shared/lib/utils.js'
import type { NextFetchEvent, NextRequest, NextResponse } from 'next/server.js'
import type { CallbacksOptions } from '../../core/config/callbacks.ts'
import type { Provider } from '../../core/config/provider.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import type { Passkey, RemovePasskeyOptions } from '../../core/identity/passkey.ts'
import type { UserFactors } from '../shared/factor-types.ts'
import type {
  AuthorizationParams,
  ConfigSource,
  ProviderFunction,
  RequireAuth,
  ReturnedSession,
  ScopesOptions,
  SignInOptions,
  SignOutOptions,
  UserAccount,
  WithSession,
} from '../shared/types.ts'
import type { UserPassword } from '../shared/password-functions.ts'
import type { UserSessions } from '../shared/user-sessions.ts'
import type { AccessToken, AccessTokenOptions } from '../../core/tokens/options.ts'
import type { TellsSession } from '../../core/session/session-of.ts'
import type { Awaitable, DefaultSession, Hook, Session, User } from '../../core/types.ts'

/** Parameters of the `authorized` callback. */
export interface AuthorizedParams<S extends DefaultSession = Session> {
  readonly request: NextRequest
  /** `null`: unauthenticated. */
  readonly auth: S | null
}

/** The callbacks of {@link CallbacksOptions}, and `authorized`. */
export interface LibCallbacks<
  S extends DefaultSession = Session,
  Returns extends DefaultSession = ReturnedSession<S>,
> extends CallbacksOptions<Returns> {
  /**
   * Runs in the proxy (middleware) before each matched page. A truthy value lets the request pass, a `Response` is sent
   * instead, and any other value redirects to the sign-in page. Declare it after `session` to get the type of `auth`.
   */
  authorized?: Hook<
    [params: AuthorizedParams<S>],
    Awaitable<boolean | NextResponse | Response | null | undefined>
  >
}

/** The configuration of `Lib`; `S` is what the `session` callback returns. */
export interface LibConfig<
  S extends DefaultSession = Session,
  Returns extends DefaultSession = ReturnedSession<S>,
> extends Omit<AuthConfig, 'raw' | 'callbacks'> {
  callbacks?: LibCallbacks<S, Returns> | undefined
  /** Leaves it to the handler wrapped in `auth` in the proxy to enforce `authorized`. @default false */
  authorizedInHandler?: boolean | undefined
}

/**
 * A configuration, or a function that returns it, called once per request. In server components, server actions and the
 * Pages Router, the request is created from the headers, and the path where it is known.
 *
 * Its URL and `Host` are the public origin: that of `AUTH_URL`, else the host of the request. `X-Forwarded-Host` is
 * visible only if `AUTH_TRUST_HOST` or the platform trusts it.
 */
export type LibConfigSource<Config = LibConfig> = ConfigSource<NextRequest | undefined, Config>

/**
 * A configuration from which three types are inferred. TypeScript fixes `Known` at `authorized`, from the callbacks
 * declared before it; `S` is the return type of `session`, wherever it is declared. `P` is the type of the providers.
 */
export type InferredConfig<
  S extends DefaultSession,
  Known extends DefaultSession,
  P extends Provider = Provider,
> = WithSession<LibConfig<Known, Known>, S, P>

/** A request with its session. */
export interface LibRequest<S extends DefaultSession = Session> extends NextRequest {
  /** `null`: unauthenticated. */
  auth: S | null
}

/** The second argument of route handlers. */
export interface RouteContext {
  readonly params: Promise<any>
}

/** A handler wrapped in {@link AuthFunction}, as Next calls it. */
export type WrappedHandler<Context> = (request: NextRequest, context: Context) => Promise<Response>

/** A route handler. */
export type RouteHandler = WrappedHandler<RouteContext>

/** A proxy (middleware) or an API route on the edge. */
export type ProxyHandler = WrappedHandler<NextFetchEvent>

/** A handler of the application to wrap in {@link AuthFunction}. */
export type AuthHandler<Context = RouteContext, S extends DefaultSession = Session> = (
  request: LibRequest<S>,
  context: Context,
) => Awaitable<Response | NextResponse | null | undefined | void>

/** The used part of the context of `getServerSideProps`, whose type has moved between Next 14 and Next 15. */
export interface PropsContext {
  readonly req: { readonly headers: object; readonly url?: string | undefined }
  readonly res: {
    readonly getHeader: (name: string) => unknown
    readonly setHeader: (name: string, value: string | readonly string[]) => unknown
  }
  readonly resolvedUrl: string
}

/** Reads the session on the server; `S` is the return type of the `session` callback. */
export interface AuthFunction<S extends DefaultSession = Session> extends TellsSession<S> {
  /** In an API route of the Pages Router. Without the response, no cookies are set. */
  (request: NextApiRequest, response?: NextApiResponse): Promise<S | null>
  /** In `getServerSideProps`. */
  (context: PropsContext): Promise<S | null>
  /** As the proxy (middleware) itself. */
  (request: NextRequest, event: NextFetchEvent): Promise<Response>
  /** Wraps a route handler (the default type of the second parameter), a proxy (middleware), or an edge API route. */
  <Context extends RouteContext | NextFetchEvent = RouteContext>(
    handler: AuthHandler<Context, S>,
  ): WrappedHandler<Context>
  // Last, because `ReturnType` and mocks of test runners use this overload.
  /** In server components, server actions and route handlers. */
  (): Promise<S | null>
}

/**
 * Starts a sign-in from a server action or a route handler. Without a provider, redirects to the sign-in page. A failed
 * sign-in with a provider of type email or OAuth redirects to the page that shows the error, with `error` in the query.
 *
 * @throws AuthError for rejected credentials and configuration errors; rethrow all other errors, because Next redirects
 * by throwing
 */
export type SignIn = <R extends boolean = true>(
  provider?: string,
  options?: FormData | (SignInOptions & { redirect?: R }),
  authorizationParams?: AuthorizationParams,
) => Promise<R extends false ? any : never>

/** URL to go to after sign-out; `redirect` and `url` contain the same URL as strings. */
export interface SignOutUrl extends URL {
  readonly redirect: string
  readonly url: string
}

/** Signs out from a server action or a route handler. */
export type SignOut = <R extends boolean = true>(
  options?: Omit<SignOutOptions, 'redirect'> & { redirect?: R },
) => Promise<R extends false ? any : never>

/** Updates the session: passes this data to the `jwt` and `session` callbacks. */
export type Update<S extends DefaultSession = Session> = NonNullable<
  Hook<
    [data: Partial<Session | S> | { user: Partial<User | NonNullable<S['user']>> }],
    Promise<S | null>
  >
>

/**
 * The passkeys of the user who is signed in, in server components, server actions and route handlers. Every function
 * returns `null` if the user is signed out. In the Pages Router, call the functions of `lib-auth/passkeys`.
 *
 * @throws AdapterError if the database fails
 */
export interface Passkeys {
  /** Lists the passkeys, oldest first. */
  readonly list: () => Promise<Passkey[] | null>
  /**
   * Renames a passkey; `null` if the user has no such passkey. A name has 1 to 100 characters.
   *
   * @throws InvalidRequest if the name is not valid
   */
  readonly rename: (credentialID: string, name: string) => Promise<Passkey | null>
  /**
   * Removes a passkey; `null` if the user has no such passkey.
   *
   * @throws LastSignInMethod if the user has no other sign-in method, unless `{ last: 'allow' }`
   */
  readonly remove: (credentialID: string, options?: RemovePasskeyOptions) => Promise<Passkey | null>
}

/** Identifies the request in the Pages Router; in the App Router, it is implicit. */
export interface PagesTokenOptions extends AccessTokenOptions {
  readonly req?: PropsContext['req']
  readonly res?: PropsContext['res']
}

/**
 * Returns an access token of a provider for the user who is signed in, and refreshes it when it is due: in server
 * components, server actions and route handlers, and with `{ req, res }` in the Pages Router.
 *
 * @throws AccessTokenError if the user has to do something, by its `code`
 * @throws AccessTokenUnavailable if the provider or the store does not respond, and no valid token is left
 */
export type GetAccessToken<Id extends string = string> = ProviderFunction<
  [provider: Id, options?: PagesTokenOptions],
  AccessToken
>

/**
 * Requests more scopes for the connected account of a provider, from a server action or a route handler. The session
 * stays the same; if the user declines, `redirectTo` gets `error=AccessDenied`.
 *
 * @throws AccessTokenError if no account of the provider is connected
 */
export type RequestScopes<Id extends string = string> = {
  // The parameters of a method are bivariant: it fits where a function for any provider is expected.
  call<R extends boolean = true>(
    provider: Id,
    scopes: readonly string[],
    options?: ScopesOptions & { redirect?: R },
  ): Promise<R extends false ? string : never>
}['call']

/**
 * The account of the user who is signed in; `link` and `merge` redirect as {@link SignIn} does, and resolve only with
 * `redirect: false`.
 */
export interface AccountFunctions<Id extends string = string> extends Omit<
  UserAccount<[], Id, never>,
  'link' | 'merge'
> {
  merge<R extends boolean = true>(
    options?: ScopesOptions & { redirect?: R },
  ): Promise<R extends false ? string : never>
  link<R extends boolean = true>(
    provider: Id,
    options?: ScopesOptions & { redirect?: R },
  ): Promise<R extends false ? string : never>
}

/** A built-in route. An interface, because declaration files cannot name the types of Next in the folders of pnpm. */
export interface BuiltInHandler {
  (request: NextRequest): Promise<Response>
}

/** Result of `Lib`; `S` is the return type of the `session` callback, `Id` the ids of the providers. */
export interface LibResult<S extends DefaultSession = Session, Id extends string = string> {
  /** Handlers of the catch-all route at the base path. */
  readonly handlers: Record<'GET' | 'POST', BuiltInHandler>
  readonly auth: AuthFunction<S>
  readonly signIn: SignIn
  readonly signOut: SignOut
  readonly unstable_update: Update<S>
  /** Alias of `unstable_update`. */
  readonly update: Update<S>
  readonly passkeys: Passkeys
  readonly getAccessToken: GetAccessToken<Id>
  readonly requestScopes: RequestScopes<Id>
  /**
   * In server components, server actions and route handlers; in the Pages Router, call `requireAuth` of `lib-auth`. If the
   * requirement is not met, a navigation is redirected to the page for that, by throwing as `redirect` of Next does; a server
   * action, and a route handler that a script calls, get the error. Next does not tell the address of a page: set `redirectTo`
   * for the return to it.
   */
  readonly requireAuth: RequireAuth<[], S>
  /** In server components, server actions and route handlers. In the Pages Router, call the functions of `lib-auth/sessions`. */
  readonly sessions: UserSessions<[]>
  /**
   * In server components (`list`), server actions and route handlers. `link` and `merge` redirect by throwing, as `signIn`
   * does. In the Pages Router, call the functions of `lib-auth/account`.
   */
  readonly account: AccountFunctions<Id>
  /**
   * In server actions and route handlers. In the Pages Router, link to the built-in pages, or call the functions of
   * `lib-auth/password`.
   */
  readonly password: UserPassword<[]>
  /** In server components (`list`), server actions and route handlers; in the Pages Router, call the functions of `lib-auth/factors`. */
  readonly factors: UserFactors<[]>
}
