/** What a client is asked for, and what it answers. */
import type { ErrorPageParam, SignInPageErrorParam } from '../codes.ts'
import type { Fetch, PublicProvider, Session } from '../types.ts'

/** What a client is made with. */
export interface ClientOptions {
  /** Path of the routes. @default '/api/auth' */
  basePath?: string
  /** Origin of the site; needed outside a browser. @default that of the page */
  baseUrl?: string
  /** @default the global one */
  fetch?: Fetch
}

/** Options of {@link Client.signIn}; everything else is sent along, as to `authorize`. */
export interface SignInOptions<Redirect extends boolean = boolean> extends Record<string, unknown> {
  /** Where to go afterwards. @default the current page */
  redirectTo?: string
  /** @deprecated use `redirectTo` */
  callbackUrl?: string
  /** `false`: stay, and return what came of it. @default true */
  redirect?: Redirect
}

/** Parameters for the authorization request of a provider. */
export type SignInAuthorizationParams =
  string | string[][] | Record<string, string> | URLSearchParams

/**
 * Why a sign-in failed, as far as a browser may know: a type of error, or what the `signIn` callback leads to
 * with a URL of its own.
 */
export type SignInErrorType = SignInPageErrorParam | ErrorPageParam | (string & {})

/** What came of signing in: look at `error` first. */
export type SignInResponse = {
  status: number
  /** Whether there was an answer; a wrong password is one. */
  ok: boolean
} & (
  | {
      error: undefined
      code: undefined
      /** Where to go on: with redirect `false` to a provider, too. */
      url: string
    }
  | {
      error: SignInErrorType
      /**
       * Of a `CredentialsSignin`: what `authorize` says about it. Of an `EmailSignInError`: `invalid_address`, if the
       * address was refused.
       */
      code: string | undefined
      url: null
    }
)

/** Options of {@link Client.signOut}. */
export interface SignOutOptions<Redirect extends boolean = boolean> {
  /** Where to go afterwards. @default the current page */
  redirectTo?: string
  /** @deprecated use `redirectTo` */
  callbackUrl?: string
  /** `false`: stay, and return where to go. @default true */
  redirect?: Redirect
}

/** What came of signing out. */
export interface SignOutResponse {
  url: string
}

/** Reads and changes the session of this browser. */
export interface Client {
  /**
   * Who is signed in; `null`: nobody.
   *
   * @param cookie - of the request that is answered, outside a browser
   * @throws ClientFetchError when that cannot be said
   */
  getSession(cookie?: string): Promise<Session | null>
  /** @throws ClientFetchError */
  getCsrfToken(): Promise<string>
  /** @throws ClientFetchError */
  getProviders(): Promise<Record<string, PublicProvider>>
  /** Starts a sign-in, or leads to the sign-in page. */
  signIn(
    provider?: string,
    options?: FormData | SignInOptions,
    authorizationParams?: SignInAuthorizationParams,
  ): Promise<SignInResponse>
  signOut(options?: FormData | SignOutOptions): Promise<SignOutResponse>
  /**
   * Has the session changed with this data; `null`: nobody is signed in.
   *
   * @throws ClientFetchError
   */
  update(data: unknown): Promise<Session | null>
}
