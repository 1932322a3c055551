/** What the results of `Lib` have in common. `Args` is what the framework passes to its handlers. */
import type { TellsSession } from '../../core/session/session-of.ts'
import type { DefaultSession, Session } from '../../core/types.ts'
import type { AuthorizationParams, ProtectOptions, SignInOptions, SignOutOptions } from './types.ts'

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

/** What every wrapper offers with the same description. */
export interface SessionFunctions<Args extends readonly unknown[], S extends DefaultSession> {
  /** Passes data to the `jwt` and `session` callbacks, and returns the updated session. */
  readonly update: (...args: [...Args, data: unknown]) => Promise<S | null>
}

/** The functions of a framework whose handlers write a response; `Form` is `FormData` where handlers receive it. */
export interface RedirectingFunctions<
  Args extends readonly unknown[],
  S extends DefaultSession,
  Form = never,
> extends SessionFunctions<Args, S> {
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
  Form = never,
> extends SessionFunctions<Args, S> {
  /**
   * Signs in from a handler, such as an action or an endpoint. Return its result: the redirect (303), or with `redirect: false` the URL as JSON.
   *
   * @throws AuthError for rejected credentials; MissingCSRF for a request that another site sent
   */
  readonly signIn: (...args: SignInArgs<Args, SignInOptions | FormData>) => Promise<Response>
  /** Signs out from a handler, such as an action or an endpoint. Return its result: the redirect (303), or with `redirect: false` the URL as JSON. */
  readonly signOut: (...args: [...Args, options?: SignOutOptions | Form]) => Promise<Response>
}

/** What a wrapper implements: `protect` returns `null` where the callback `authorized` admits unauthenticated users. */
export type Implementation<Result, Req> = Omit<Result, 'protect'> & {
  readonly protect: (req: Req, options?: ProtectOptions<Req>) => Promise<Session | null>
}
