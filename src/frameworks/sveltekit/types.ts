import type { ActionFailure, Handle, RequestEvent } from '@sveltejs/kit'
import type { DefaultSession, Session } from '../../core/types.ts'
import type {
  AuthorizationParams,
  ProtectOptions,
  ReadSession,
  SessionAccess,
  SessionFunctions,
  SignInOptions,
  SignOutOptions,
  WrapperConfig,
} from '../shared/types.ts'

/** The configuration of `Lib`; `S` is what the `session` callback returns. */
export type LibConfig<S extends DefaultSession = Session> = WrapperConfig<RequestEvent, S>

/** The members that `handle` adds to `event.locals`. */
export interface SessionLocals<S extends DefaultSession = Session> extends SessionAccess<S> {
  /** The same function as `auth`, under its established name. */
  getSession(): Promise<S | null>
}

/** The data that a layout returns for the session in the browser. */
export interface SessionPageData {
  session?: Session | null
}

/** The data of a rejected form. Not an interface, which `ActionFailure` of SvelteKit 2.20 does not accept. */
export type RejectedSignIn = {
  /** The `code` of the {@link CredentialsSignin}, or the type of another error, such as `TooManyAttempts`. */
  readonly error: string
}

/** Result of `Lib`; `S` is the return type of the `session` callback. */
export interface LibResult<
  S extends DefaultSession = Session,
  Id extends string = string,
> extends SessionFunctions<[event: RequestEvent], S, Id> {
  /** The hook of `src/hooks.server.ts`: handles the routes below the base path, and sets `event.locals.auth`. */
  readonly handle: Handle
  /**
   * Returns the session of a signed-in user, in a load function, an action, an endpoint or a hook. Otherwise throws a
   * redirect to the sign-in page, or the error 401 in an endpoint that a script has called.
   */
  readonly protect: (event: RequestEvent, options?: ProtectOptions<RequestEvent, S>) => Promise<S>
  /** Reads the session, as `event.locals.auth()` does. */
  readonly auth: ReadSession<[event: RequestEvent], S>
  // SvelteKit infers the data of a form from the last signature.
  readonly signIn: {
    /**
     * Signs in and redirects with 303, unless `redirect` is `false`. Returns the URL.
     *
     * @throws AuthError for rejected credentials; MissingCSRF for a request that another site sent
     */
    (
      event: RequestEvent,
      provider: string | undefined,
      options?: SignInOptions | FormData,
      authorizationParams?: AuthorizationParams,
    ): Promise<string>
    /**
     * A form action. The fields `providerId`, `redirectTo`, `redirect` and `authorizationParams-*` are options; the
     * others are passed on. A wrong password is a failure with status 400, too many attempts one with 429.
     */
    (event: RequestEvent): Promise<{ url: string } | ActionFailure<RejectedSignIn>>
  }
  readonly signOut: {
    /** Signs out and redirects with 303, unless `redirect` is `false`. Returns the URL. */
    (event: RequestEvent, options: SignOutOptions | FormData): Promise<string>
    /** A form action. The fields `redirectTo`, `redirect` and `federated` are options. */
    (event: RequestEvent): Promise<{ url: string }>
  }
}
