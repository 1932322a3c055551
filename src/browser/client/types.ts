import type { ErrorPageParam } from '../../core/errors/codes.ts'
import type { SignInPageErrorParam } from '../../core/pages/messages.ts'
import type { Fetch, PublicProvider, Session } from '../../core/types.ts'

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** Base path of the routes. @default '/api/auth' */
  basePath?: string
  /** Origin of the site; required outside a browser. @default that of the page */
  baseUrl?: string
  /** @default `globalThis.fetch` */
  fetch?: Fetch
}

/** Options of {@link Client.signOut}. */
export interface SignOutOptions<Redirect extends boolean = boolean> {
  /** Return URL. @default the current page */
  redirectTo?: string
  /** @deprecated use `redirectTo` */
  callbackUrl?: string
  /**
   * `true`: also at the provider of the sign-in. `all`: at every provider of the session. Needs `logout` in the
   * configuration, and goes to the provider, so `redirect: false` returns its URL.
   */
  federated?: boolean | 'all'
  /** `false`: stays on the page and returns the result, with the URL to go to. @default true */
  redirect?: Redirect
}

/** Options of {@link Client.signIn}; all other properties are sent as form fields, for example to `authorize`. */
export interface SignInOptions<Redirect extends boolean = boolean>
  extends SignOutOptions<Redirect>, Record<string, unknown> {
  /**
   * Whether the user wants to stay signed in. `false`: the session ends with the browser, or after a day without use, unless
   * `session.lifetime` says otherwise. @default what `session` says
   */
  remember?: boolean
}

/** Parameters of the authorization request. */
export type SignInAuthorizationParams =
  string | string[][] | Record<string, string> | URLSearchParams

/** A string of which editors complete some values. */
export type LiteralUnion<Known extends Base, Base = string> = Known | (Base & {})

/** Error type of a failed sign-in, or the `error` parameter of a URL that the `signIn` callback returned. */
export type SignInErrorType = LiteralUnion<SignInPageErrorParam | ErrorPageParam>

/** Result of a sign-in; check `error` first. */
export type SignInResponse = {
  status: number
  /** Whether the request succeeded; also `true` for rejected credentials. */
  ok: boolean
  /** Seconds until the next attempt, after `TooManyAttempts`; `undefined` if unknown. */
  retryAfter?: number | undefined
} & (
  | {
      error: undefined
      code: undefined
      /** URL to continue at; with `redirect: false`, it can be that of a provider. */
      url: string
    }
  | {
      error: SignInErrorType
      /** The code of `CredentialsSignin`, or `invalid_address` for an `EmailSignInError` about the address. */
      code: string | undefined
      url: null
    }
)

/** Result of a sign-out. */
export interface SignOutResponse {
  url: string
}

/** Client of the built-in routes. */
export interface Client {
  /** Reads the session; outside a browser, that of a Cookie header. `null`: unauthenticated. @throws ClientFetchError */
  getSession(cookie?: string): Promise<Session | null>
  /** Returns the CSRF token for forms. @throws ClientFetchError */
  getCsrfToken(): Promise<string>
  /** Returns the configured providers by id. @throws ClientFetchError */
  getProviders(): Promise<Record<string, PublicProvider>>
  /** Starts a sign-in; without a known provider, goes to the sign-in page. */
  signIn(
    provider?: string,
    options?: FormData | SignInOptions,
    authorizationParams?: SignInAuthorizationParams,
  ): Promise<SignInResponse>
  signOut(options?: FormData | SignOutOptions): Promise<SignOutResponse>
  /** Updates the session with this data; `null`: unauthenticated. @throws ClientFetchError */
  update(data: unknown): Promise<Session | null>
}
