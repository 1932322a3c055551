/** Public types. Extend them with `declare module 'lib-auth' { interface Session { … } }`. */

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

/** An optional function of the application. Its parameters are bivariant, like those of a method. */
export type Hook<Parameters extends readonly unknown[], Result> =
  { call(...parameters: Parameters): Result }['call'] | undefined

/** A function like the global `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** How a provider authenticates users. */
export type ProviderType = 'oauth' | 'oidc' | 'email' | 'credentials' | 'webauthn'

/** The built-in routes below the base path. */
export type AuthAction =
  | 'backchannel-logout'
  | 'callback'
  | 'confirm'
  | 'csrf'
  | 'error'
  | 'frontchannel-logout'
  | 'post-logout'
  | 'password'
  | 'providers'
  | 'session'
  | 'signin'
  | 'signout'
  | 'step-up'
  | 'verify-request'
  | 'webauthn-options'

/** A JSON value that is not an object or array. */
export type JsonPrimitive = string | number | boolean | null

/** A JSON array. */
export type JsonArray = JsonValue[]

/** A JSON object. */
export interface JsonObject {
  [member: string]: JsonValue | undefined
}

/** A JSON value (RFC 8259). */
export type JsonValue = JsonPrimitive | JsonArray | JsonObject

/** One entry of `authorization_details` (RFC 9396 §2). */
export interface AuthorizationDetails {
  readonly type: string
  readonly locations?: string[]
  readonly actions?: string[]
  readonly datatypes?: string[]
  readonly privileges?: string[]
  readonly identifier?: string
  readonly [parameter: string]: JsonValue | undefined
}

/** A token response (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3), plus the absolute expiry computed from it. */
export interface TokenSet {
  readonly access_token?: string
  readonly authorization_details?: AuthorizationDetails[]
  /** Lifetime of `access_token` in seconds, as returned by the provider. */
  readonly expires_in?: number
  readonly id_token?: string
  readonly refresh_token?: string
  /** Granted scopes, separated by spaces. */
  readonly scope?: string
  /** In lower case, because the value is case-insensitive (RFC 6749 §5.1). */
  readonly token_type?: Lowercase<string>
  /** Expiry of `access_token` in seconds since the epoch, computed from `expires_in`. */
  expires_at?: number
  /** Further parameters of the token response. */
  [parameter: string]: JsonValue | undefined
}

/** The provider account that was used to sign in, with its token response. */
export interface Account extends TokenSet {
  /** Id of the provider, for example `github`. */
  provider: string
  /** `id` returned by `profile()` (`oauth`, `oidc`) or `authorize()` (`credentials`); the address (`email`). */
  providerAccountId: string
  type: ProviderType
  /** Id of the user the account is linked to; not set before the link exists. */
  userId?: string
}

/** Fields of every user. Extend {@link User} instead of this. */
export interface DefaultUser {
  id?: string | undefined
  name?: string | null | undefined
  email?: string | null | undefined
  /** URL of a picture. */
  image?: string | null | undefined
}

/** A user: returned by `profile()` and `authorize()`, and passed to callbacks. */
export interface User extends DefaultUser {}

/** Fields of every session. Extend {@link Session} instead of this. */
export interface DefaultSession {
  user?: User
  /** Expiry of the session if it is not used again, as an ISO 8601 date and time. */
  expires: string
}

/** The session as exposed to the browser: the result of the `session` callback. */
export interface Session extends DefaultSession {}

/** Claims of every session token. Extend {@link JWT} instead of this. */
export interface DefaultJWT extends Record<string, unknown> {
  name?: string | null | undefined
  email?: string | null | undefined
  /** URL of a picture. */
  picture?: string | null | undefined
  /** Id of the user. */
  sub?: string | undefined
  /** Time of issue in seconds since the epoch. */
  iat?: number | undefined
  /** Expiry in seconds since the epoch. */
  exp?: number | undefined
  /** Id of the token. */
  jti?: string | undefined
}

/** Claims of an encrypted session token. */
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

/** Claims about a user as returned by the provider (OpenID Connect Core §5.1). */
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
  // As in `@auth/core`: code that reads it without a check compiles.
  picture?: any
  preferred_username?: string | null
  profile?: string | null
  sub?: string | null
  updated_at?: string | number | Date | null
  website?: string | null
  zoneinfo?: string | null
  [claim: string]: unknown
}

/** A provider as returned by the `providers` route. */
export interface PublicProvider {
  readonly id: string
  readonly name: string
  readonly type: ProviderType
  /** URL of the route that starts a sign-in. */
  readonly signinUrl: string
  /** URL of the route that receives the authorization response, or the credentials form. */
  readonly callbackUrl: string
}

/** Attributes of a Set-Cookie header (RFC 6265bis §4.1). */
export interface CookieAttributes {
  /** Encodes the value. @default encodeURIComponent */
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

/** A cookie to set; an empty value with `maxAge: 0` deletes it. */
export interface ResponseCookie extends CookieOption {
  readonly value: string
}

/** The response of `Auth` with the `raw` marker, before it becomes a `Response`. */
export interface ResponseInternal {
  readonly status: number
  readonly headers: Headers
  readonly body?: unknown
  /** URL of the redirect, if the response is one. */
  readonly redirect?: string
  readonly cookies: readonly ResponseCookie[]
}
