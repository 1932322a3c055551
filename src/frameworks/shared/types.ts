import type { CallbacksOptions } from '../../core/config/callbacks.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import type { Awaitable, DefaultSession, Hook, Session } from '../../core/types.ts'

/** Return type of a callback; `DefaultSession` is accepted unless the application declares another session type. */
export type Returned<S extends DefaultSession> = Session extends S ? S | DefaultSession : S

/** Parameters of the `authorized` callback; `Req` is the request as the framework passes it to its handlers. */
export interface AuthorizedParams<Req, S extends DefaultSession = Session> {
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
  Returns extends DefaultSession = Returned<S>,
> extends CallbacksOptions<Returns> {
  /**
   * Called by `protect` before each protected route. A truthy value lets the request pass, also without a session unless
   * the route has `allow`; a `Response` is sent instead, and any other value leads to the sign-in page. Declare it after `session` to get the type of `auth`.
   */
  authorized?: Hook<
    [params: AuthorizedParams<Req, S>],
    Awaitable<boolean | Response | null | undefined>
  >
}

/** The configuration of a wrapper; `S` is what the `session` callback returns. */
export interface WrapperConfig<
  Req,
  S extends DefaultSession = Session,
  Returns extends DefaultSession = Returned<S>,
> extends Omit<AuthConfig, 'raw' | 'callbacks'> {
  callbacks?: WrapperCallbacks<Req, S, Returns> | undefined
}

/** A configuration, or a function that returns it, called once per request with the request of the framework. */
export type ConfigSource<Req, Config = WrapperConfig<Req>> =
  Config | ((request: Req) => Awaitable<Config>)

/** A configuration from which `S` is inferred as what the `session` callback returns. */
export type WithSession<Config, S extends DefaultSession> = Config & {
  // A function with parameters is an `object`, too; only `Config` types its parameters.
  callbacks?: { session?: (() => Awaitable<S | DefaultSession>) | object | undefined } | undefined
}

/**
 * A configuration from which two types are inferred. TypeScript fixes `Known` at `authorized`, from the callbacks
 * declared before it; `S` is the return type of `session`, wherever it is declared.
 */
export type InferredConfig<
  Req,
  S extends DefaultSession,
  Known extends DefaultSession,
> = WithSession<WrapperConfig<Req, Known, Known>, S>

/** Options of `signIn`; all other properties are sent as form fields, for example to `authorize`. */
export interface SignInOptions extends Record<string, unknown> {
  /** Return URL: a path of the site. @default the page that sent the request */
  redirectTo?: string
  /** `false`: returns the URL instead of redirecting. @default true */
  redirect?: boolean
}

/** Options of `signOut`. */
export type SignOutOptions = Pick<SignInOptions, 'redirectTo' | 'redirect'>

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
}
