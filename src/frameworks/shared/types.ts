/** The public types of the wrappers. `Req` and `Args` are what a framework passes to its handlers. */
import type { UserFactors } from './factor-types.ts'
import type {
  LinkedAccount,
  LinkedAccountKey,
  UnlinkAccountOptions,
} from '../../core/account/account-info.ts'
import type { CallbacksOptions } from '../../core/config/callbacks.ts'
import type { Provider } from '../../core/config/provider.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import type { Assured, AuthRequirement, LevelOf } from '../../core/assurance/assured.ts'
import type { RequireAuthOptions } from '../../core/require-auth.ts'
import type { TellsSession } from '../../core/session/session-of.ts'
import type {
  AccessToken,
  AccessTokenOptions,
  RequestScopesOptions,
} from '../../core/tokens/options.ts'
import type { Awaitable, DefaultSession, Hook, Session } from '../../core/types.ts'
import type { UserPassword } from './password-functions.ts'
import type { EmailFunctions } from './email-functions.ts'
import type { UserSessions } from './user-sessions.ts'

/** Return type of a callback; `DefaultSession` is accepted unless the application declares another session type. */
export type ReturnedSession<S extends DefaultSession> = Session extends S ? S | DefaultSession : S

/** Parameters of the `authorized` callback; `Req` is the request as the framework passes it to its handlers. */
export interface WrapperAuthorizedParams<Req, S extends DefaultSession = Session> {
  readonly request: Req
  /** The public URL of the request. The callback is called again with each other spelling that the router takes for the same path. */
  readonly url: URL
  /** `null`: unauthenticated. */
  readonly auth: S | null
}

/** The callbacks of {@link CallbacksOptions}, and `authorized`. */
export interface WrapperCallbacks<
  Req,
  S extends DefaultSession = Session,
  Returns extends DefaultSession = ReturnedSession<S>,
> extends CallbacksOptions<Returns> {
  /**
   * Called by `protect` before each protected route. A truthy value lets the request pass, also without a session unless
   * the route has `allow`; a `Response` is sent instead, and any other value leads to the sign-in page. Declare it after `session` to get the type of `auth`.
   */
  authorized?: Hook<
    [params: WrapperAuthorizedParams<Req, S>],
    Awaitable<boolean | Response | null | undefined>
  >
}

/** The configuration of a wrapper; `S` is what the `session` callback returns. */
export interface WrapperConfig<
  Req,
  S extends DefaultSession = Session,
  Returns extends DefaultSession = ReturnedSession<S>,
> extends Omit<AuthConfig, 'raw' | 'callbacks'> {
  callbacks?: WrapperCallbacks<Req, S, Returns> | undefined
}

/** A configuration, or a function that returns it, called once per request with the request of the framework. */
export type ConfigSource<Req, Config = WrapperConfig<Req>> =
  Config | ((request: Req) => Awaitable<Config>)

/** A configuration from which `S` is inferred as what the `session` callback returns, and `P` as the providers. */
export type WithSession<Config, S extends DefaultSession, P extends Provider> = Config & {
  providers?: readonly P[]
  // A function with parameters is an `object`, too; only `Config` types its parameters.
  callbacks?: { session?: (() => Awaitable<S | DefaultSession>) | object | undefined } | undefined
}

/**
 * The parameter of `Lib`, from which three types are inferred. TypeScript fixes `Known` at `authorized`, from the callbacks
 * declared before it; `S` is the return type of `session`, wherever it is declared. `P` is the type of the providers.
 */
export type InferredSource<
  Req,
  S extends DefaultSession,
  Known extends DefaultSession,
  P extends Provider,
> = ConfigSource<Req, WithSession<WrapperConfig<Req, Known, Known>, S, P>>

/** Options of `signIn`; all other properties are sent as form fields, for example to `authorize`. */
export interface SignInOptions extends Record<string, unknown> {
  /** Return URL: a path of the site. @default the page that sent the request */
  redirectTo?: string
  /** `false`: returns the URL instead of redirecting. @default true */
  redirect?: boolean
  /**
   * Whether the user wants to stay signed in. `false`: the session ends with the browser, or after a day without use, unless
   * `session.lifetime` says otherwise. @default what `session` says
   */
  remember?: boolean
}

/** Options of `requestScopes`. */
export interface ScopesOptions extends RequestScopesOptions, Pick<SignInOptions, 'redirect'> {}

/** Options of `signOut`. */
export interface SignOutOptions extends Pick<SignInOptions, 'redirectTo' | 'redirect'> {
  /** `true`: also at the provider of the sign-in. `all`: at every provider of the session. Needs `logout` in the configuration. */
  federated?: boolean | 'all'
}

/** Parameters of the authorization request; they override configured parameters of the same name. */
export type AuthorizationParams =
  string | Record<string, string> | URLSearchParams | [string, string][]

/** Options of `protect`. */
export interface ProtectOptions<Req, S extends DefaultSession = Session> {
  /**
   * Whether a signed-in user may continue. `false`: the response is 403. Unauthenticated requests are rejected, also where
   * `authorized` returns `true`.
   */
  readonly allow?: Hook<[session: S, request: Req], Awaitable<boolean>>
  /**
   * How the user must have been authenticated, and how recently, as for `requireAuth`. Otherwise a navigation is redirected
   * to the step-up page, and a script receives 401. The page `pages.stepUp` itself is not guarded. Unauthenticated requests are rejected, also where `authorized` returns
   * `true`.
   */
  readonly requires?: AuthRequirement
}

/** What the wrapper adds to a request. */
export interface SessionAccess<S extends DefaultSession = Session> {
  /**
   * Reads the session once per request; `null` on a prerendered page.
   *
   * @throws SessionUnavailable if the session lookup fails
   */
  auth(): Promise<S | null>
}

/** What `protect` adds to a request. */
export interface SignedIn<S extends DefaultSession = Session> {
  session: S
}

/** Reads the session; `SessionOf` infers the type of its result. */
export type ReadSession<
  Args extends readonly unknown[],
  S extends DefaultSession,
> = TellsSession<S> & ((...args: Args) => Promise<S | null>)

/** The arguments of `signIn`. */
export type SignInArgs<Args extends readonly unknown[], Options> = [
  ...Args,
  provider?: string,
  options?: Options,
  authorizationParams?: AuthorizationParams,
]

/** A function for the providers of the configuration; it fits where one for any provider is expected. */
export type ProviderFunction<Args extends readonly unknown[], Result> = NonNullable<
  Hook<Args, Promise<Result>>
>

/**
 * The account of the user who is signed in. Changes need the option `account`.
 *
 * @throws SessionRequired (changes) if the visitor is not signed in
 * @throws StepUpRequired (changes) if the sign-in is older than `account.freshFor`; its `url` is the page to confirm it
 * @throws MissingAdapterMethods if the adapter lacks a method
 * @throws MissingCSRF (changes) if a page of another origin sent the request
 */
export interface UserAccount<
  Args extends readonly unknown[],
  Id extends string,
  Redirected,
> extends EmailFunctions<Args> {
  /** Lists the accounts at providers, without those of passkeys. `null` for a visitor who is not signed in. */
  readonly list: (...args: Args) => Promise<LinkedAccount[] | null>
  /**
   * Links an account at a provider. Redirects and returns as `signIn` does. An account of another user is not linked:
   * `redirectTo` gets `error=OAuthAccountNotLinked`.
   */
  readonly link: ProviderFunction<[...Args, provider: Id, options?: ScopesOptions], Redirected>
  /**
   * Unlinks an account, revokes its tokens, and ends the other sessions that began there if there is a list of them.
   * `null`: the user has no such account.
   *
   * @throws LastSignInMethod if the user has no other sign-in method, unless `{ last: 'allow' }`
   */
  readonly unlink: (
    ...args: [...Args, key: LinkedAccountKey, options?: UnlinkAccountOptions]
  ) => Promise<LinkedAccount | null>
  /**
   * Begins to merge another user into the one who is signed in, with `account.mergeUsers`. Redirects and returns as `signIn`
   * does: to a page on which the other user signs in.
   */
  readonly merge: NonNullable<Hook<[...Args, options?: ScopesOptions], Promise<Redirected>>>
  /**
   * Deletes the user with their accounts, sessions and passkeys, after `account.beforeRemove`, and signs them out.
   *
   * @throws AccountRemovalError if the user could not be deleted; repeat the call
   */
  readonly remove: (...args: Args) => Promise<void>
}

/**
 * Returns the session of a user who is signed in, and how they were authenticated, if that meets the requirement.
 *
 * @throws SessionRequired if the visitor is not signed in
 * @throws StepUpRequired if the user has to authenticate again; its `url` is the page for that
 * @throws InvalidConfiguration if an option is not valid, or sessions do not keep what it needs (`session.assurance`)
 */
export type RequireAuth<Args extends readonly unknown[], S extends DefaultSession> = <
  const Options extends RequireAuthOptions = RequireAuthOptions,
>(
  ...args: [...Args, options?: Options]
) => Promise<Assured<S, LevelOf<Options>>>

/** What every wrapper offers with the same description; `Id` are the ids of the providers. */
export interface SessionFunctions<
  Args extends readonly unknown[],
  S extends DefaultSession,
  Id extends string,
  Redirected = string,
> {
  /** Passes data to the `jwt` and `session` callbacks, and returns the updated session. */
  readonly update: (...args: [...Args, data: unknown]) => Promise<S | null>
  readonly requireAuth: RequireAuth<Args, S>
  readonly sessions: UserSessions<Args>
  readonly account: UserAccount<Args, Id, Redirected>
  readonly password: UserPassword<Args>
  readonly factors: UserFactors<Args>
  /**
   * Returns an access token of a provider for the user who is signed in, and refreshes it when it is due.
   *
   * @throws AccessTokenError if the user has to do something, by its `code`
   * @throws AccessTokenUnavailable if the provider or the store does not respond, and no valid token is left
   */
  readonly getAccessToken: ProviderFunction<
    [...Args, provider: Id, options?: AccessTokenOptions],
    AccessToken
  >
  /**
   * Requests more scopes for the connected account of a provider. Redirects and returns as `signIn` does. The session
   * stays the same; if the user declines, `redirectTo` gets `error=AccessDenied`.
   *
   * @throws AccessTokenError if no account of the provider is connected
   */
  readonly requestScopes: ProviderFunction<
    [...Args, provider: Id, scopes: readonly string[], options?: ScopesOptions],
    Redirected
  >
}

/** The functions of a framework whose handlers write a response; `Form` is `FormData` where handlers receive it. */
export interface RedirectingFunctions<
  Args extends readonly unknown[],
  S extends DefaultSession,
  Id extends string,
  Form = never,
> extends SessionFunctions<Args, S, Id> {
  /**
   * Signs in from a handler and redirects with 303, unless `redirect` is `false`. Returns the URL.
   *
   * @throws AuthError for rejected credentials; MissingCSRF for a request that another site sent
   */
  readonly signIn: (...args: SignInArgs<Args, SignInOptions | Form>) => Promise<string>
  /** Signs out from a handler and redirects with 303, unless `redirect` is `false`. Returns the URL. */
  readonly signOut: (...args: [...Args, options?: SignOutOptions | Form]) => Promise<string>
}

/** The functions of a framework whose handlers return a `Response`. */
export interface RespondingFunctions<
  Args extends readonly unknown[],
  S extends DefaultSession,
  Id extends string,
  Form = never,
> extends SessionFunctions<Args, S, Id, Response> {
  /**
   * Signs in from a handler, such as an action or an endpoint. Return its result: the redirect (303), or with
   * `redirect: false` the URL as JSON.
   *
   * @throws AuthError for rejected credentials; MissingCSRF for a request that another site sent
   */
  readonly signIn: (...args: SignInArgs<Args, SignInOptions | FormData>) => Promise<Response>
  /** Signs out from a handler. Return its result: the redirect (303), or with `redirect: false` the URL as JSON. */
  readonly signOut: (...args: [...Args, options?: SignOutOptions | Form]) => Promise<Response>
}

/** What a wrapper implements: `protect` returns `null` where the callback `authorized` admits unauthenticated users. */
export type Implementation<Result, Req> = Omit<Result, 'protect'> & {
  readonly protect: (req: Req, options?: ProtectOptions<Req>) => Promise<Session | null>
}
