/** The public vocabulary. Extend it with `declare module 'lib-auth' { interface Session { … } }`. */

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

/**
 * A function that an application may give or leave out. It may name narrower parameters than it is called with,
 * as a method may.
 */
export type Hook<Parameters extends readonly unknown[], Result> =
  { call(...parameters: Parameters): Result }['call'] | undefined

/**
 * A value whose shape only the application knows. The specification types these as `any`: validate
 * them before use.
 */
export type Untyped = ReturnType<typeof JSON.parse>

/** A function like the global `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** How a provider proves who somebody is. */
export type ProviderType = 'oauth' | 'oidc' | 'email' | 'credentials' | 'webauthn'

/** The built-in routes below the base path. */
export type AuthAction =
  | 'callback'
  | 'csrf'
  | 'error'
  | 'providers'
  | 'session'
  | 'signin'
  | 'signout'
  | 'verify-request'
  | 'webauthn-options'

/** One entry of `authorization_details` (RFC 9396 §2). */
export interface AuthorizationDetails {
  readonly type: string
  readonly locations?: string[]
  readonly actions?: string[]
  readonly datatypes?: string[]
  readonly privileges?: string[]
  readonly identifier?: string
  readonly [parameter: string]: unknown
}

/**
 * What the token endpoint answered (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3), plus the absolute
 * expiry that follows from it.
 */
export interface TokenSet {
  readonly access_token?: string
  readonly authorization_details?: AuthorizationDetails[]
  /** Lifetime of `access_token` in seconds, as the provider stated it. */
  readonly expires_in?: number
  readonly id_token?: string
  readonly refresh_token?: string
  /** Space-separated scopes that were granted. */
  readonly scope?: string
  /** Always lower case, because the value is case-insensitive (RFC 6749 §5.1). */
  readonly token_type?: Lowercase<string>
  /** Seconds since the epoch at which `access_token` expires, computed from `expires_in`. */
  expires_at?: number
  /** Whatever else the provider sent along. */
  [parameter: string]: unknown
}

/** The provider account that was used to sign in, with what the token endpoint answered. */
export interface Account extends TokenSet {
  /** Id of the provider, for example `github`. */
  provider: string
  /**
   * Who this is at the provider. `oauth` and `oidc`: the `id` that `profile()` returned. `email`: the
   * address. `credentials`: the `id` that `authorize()` returned.
   */
  providerAccountId: string
  /** Type of the provider. */
  type: ProviderType
  /** Id of the user this account belongs to, once there is one. */
  userId?: string
}

/** The fields every user has. Extend {@link User} instead of this. */
export interface DefaultUser {
  id?: string | undefined
  name?: string | null | undefined
  email?: string | null | undefined
  /** URL of a picture. */
  image?: string | null | undefined
}

/** Somebody who signs in: what `profile()` and `authorize()` return, and what callbacks receive. */
export interface User extends DefaultUser {}

/** The fields every session has. Extend {@link Session} instead of this. */
export interface DefaultSession {
  user?: User
  /** ISO 8601 date and time at which the session ends if it is not used. */
  expires: string
}

/** What a signed-in browser may know about itself; produced by the `session` callback. */
export interface Session extends DefaultSession {}

/** The claims every session token has. Extend {@link JWT} instead of this. */
export interface DefaultJWT extends Record<string, unknown> {
  name?: string | null | undefined
  email?: string | null | undefined
  /** URL of a picture. */
  picture?: string | null | undefined
  /** Id of the user. */
  sub?: string | undefined
  /** Seconds since the epoch at which this token was issued. */
  iat?: number | undefined
  /** Seconds since the epoch at which this token expires. */
  exp?: number | undefined
  /** Id of this token. */
  jti?: string | undefined
}

/** The claims inside an encrypted session token. */
export interface JWT extends Record<string, unknown>, DefaultJWT {}

/** Postal address claim (OpenID Connect Core §5.1.1). */
export interface ProfileAddress {
  country?: string | null
  formatted?: string | null
  locality?: string | null
  postal_code?: string | null
  region?: string | null
  street_address?: string | null
}

/** Claims about somebody as an OAuth provider states them (OpenID Connect Core §5.1). */
export interface Profile {
  address?: ProfileAddress | null
  birthdate?: string | null
  email?: string | null
  email_verified?: boolean | null
  family_name?: string | null
  gender?: string | null
  given_name?: string | null
  id?: string | null
  locale?: string | null
  middle_name?: string | null
  name?: string | null
  nickname?: string | null
  phone_number?: string | null
  picture?: Untyped
  preferred_username?: string | null
  profile?: string | null
  sub?: string | null
  updated_at?: string | number | Date | null
  website?: string | null
  zoneinfo?: string | null
  [claim: string]: unknown
}

/** A provider as the `providers` route shows it. */
export interface PublicProvider {
  readonly id: string
  readonly name: string
  readonly type: ProviderType
  /** Where a form starts signing in. */
  readonly signinUrl: string
  /** Where the provider, or a credentials form, answers. */
  readonly callbackUrl: string
}

/** Attributes of a Set-Cookie header (RFC 6265bis §4.1). */
export interface CookieAttributes {
  /** Turns the value into what is sent. @default encodeURIComponent */
  readonly encode?: (value: string) => string
  /** Lifetime in whole seconds. */
  readonly maxAge?: number
  readonly expires?: Date
  readonly domain?: string
  /** @default '/' */
  readonly path?: string
  /** @default true */
  readonly httpOnly?: boolean
  readonly secure?: boolean
  readonly partitioned?: boolean
  readonly priority?: 'low' | 'medium' | 'high'
  /** @default 'lax' */
  readonly sameSite?: boolean | 'lax' | 'strict' | 'none'
}

/** Name and attributes of one cookie. */
export interface CookieOption {
  readonly name: string
  readonly options: CookieAttributes
}

/** A cookie that a response sets; an empty value with `maxAge: 0` deletes it. */
export interface ResponseCookie extends CookieOption {
  readonly value: string
}

/** What `Auth` returns with the `raw` marker: the answer before it became a `Response`. */
export interface ResponseInternal {
  readonly status: number
  readonly headers: Headers
  readonly body?: unknown
  /** Where the browser is sent, if it is. */
  readonly redirect?: string
  readonly cookies: readonly ResponseCookie[]
}

export type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  Authenticator,
  VerificationToken,
} from './adapters/index.ts'
export type { SessionOf, TellsSession } from './session-of.ts'
export type { ErrorPageParam, SignInPageErrorParam, WarningCode } from './codes.ts'
export type {
  CallbacksOptions,
  EventsOptions,
  JWTCallbackParams,
  JWTTrigger,
  RedirectCallbackParams,
  SessionCallbackParams,
  SignInCallbackParams,
} from './config/callbacks.ts'
export type {
  AuthConfig,
  CookiesOptions,
  LoggerInstance,
  PagesOptions,
  SessionOptions,
  Theme,
} from './config/types.ts'

// From there, because an application can extend `lib-auth` only if what it imports does import that.
export type { SessionResult } from './index.ts'
