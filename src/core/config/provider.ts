import type { CommonProviderOptions } from './provider-options.ts'
import type { customFetch, insecureHttp, postedUser, untypedLogoutTokens } from '../symbols.ts'
import type { Awaitable, Fetch, Hook, Profile, PublicProvider, TokenSet, User } from '../types.ts'
import type { OAuthProviderButtonStyles } from './button.ts'
import type { CredentialsConfig } from './credentials.ts'
import type { EmailConfig } from './email.ts'
import type { WebAuthnConfig } from './webauthn.ts'

/** URL and parameters of a request to a provider. */
export interface Endpoint {
  url?: string | undefined
  params?: Readonly<Record<string, unknown>> | undefined
}

/** The authorization endpoint (RFC 6749 §3.1). */
export interface AuthorizationEndpoint extends Endpoint {}

/** A private key for `private_key_jwt`, with the `kid` registered at the provider. */
export interface ClientPrivateKey {
  /** A `CryptoKey`, a global name that only the types of a browser declare. */
  key: Parameters<typeof crypto.subtle.exportKey>[1]
  kid?: string
}

/** Parameters of {@link TokenEndpoint.request}. */
export interface TokenRequest {
  /** The authorization response: `code`, and further parameters of the vendor. */
  readonly params: Readonly<Record<string, string>>
  /** The PKCE code verifier (RFC 7636 §4.5), if the provider uses PKCE. */
  readonly checks: { readonly code_verifier?: string }
  /** The `redirect_uri` of the authorization request (RFC 6749 §4.1.3), which a redirect proxy changes. */
  readonly redirectUri: string
  readonly provider: OAuthProviderContext
}

/** The token endpoint (RFC 6749 §3.2). */
export interface TokenEndpoint extends Endpoint {
  /** Replaces the token request. Its result is validated like a token response (RFC 6749 §5.1). */
  request?: Hook<[TokenRequest], Awaitable<{ tokens: TokenSet }>>
  /** Converts a token response that violates the standard; return nothing to leave it unchanged. */
  conform?: Hook<[response: Response], Awaitable<Response | undefined | void>>
  /** Key for the client authentication method `private_key_jwt` (RFC 7523 §2.2). */
  clientPrivateKey?: ClientPrivateKey['key'] | ClientPrivateKey | undefined
}

/** Parameters of requests that send a token. */
export interface TokensRequest {
  readonly tokens: TokenSet
  readonly provider: OAuthProviderContext
}

/** Parameters of {@link UserinfoEndpoint.request}. */
export interface UserinfoRequest extends TokensRequest {}

/** Where tokens are refreshed (RFC 6749 §6). What is not set is that of the token endpoint. */
export interface RefreshEndpoint extends Endpoint {
  /** Replaces the request. Its response is processed like that of the token endpoint. */
  request?: Hook<[TokensRequest], Awaitable<Response>>
}

/** The revocation endpoint (RFC 7009). */
export interface RevocationEndpoint extends Endpoint {
  /** The only type of token that the provider revokes. @default 'refresh_token' if there is one, else 'access_token' */
  tokenType?: 'access_token' | undefined
  /** Name of the parameter with the token. @default 'token' */
  tokenParameter?: string | undefined
  /** Replaces the request. Its response is processed like that of RFC 7009. */
  request?: Hook<[TokensRequest], Awaitable<Response>>
}

/** Where users sign out at the provider (OpenID Connect RP-Initiated Logout 1.0 §2). */
export interface EndSessionEndpoint extends Endpoint {
  /** Name of the parameter with the return URL. @default 'post_logout_redirect_uri' */
  redirectParameter?: string | undefined
  /**
   * `false` for a provider that rejects a return URL and `state` without `id_token_hint`: they are left out if the session has no
   * ID token. The sign-out then ends at the provider. @default true
   */
  returnsWithoutHint?: boolean | undefined
}

/** The userinfo endpoint (OpenID Connect Core §5.3). */
export interface UserinfoEndpoint extends Endpoint {
  /** Replaces the request to the userinfo endpoint. */
  request?: Hook<[UserinfoRequest], Awaitable<Profile>>
}

/** A provider with every default filled in, as passed to {@link UserinfoEndpoint.request}. */
export interface OAuthProviderContext extends CommonProviderOptions {
  readonly issuer?: string
  readonly clientId: string
  readonly clientSecret?: string
  readonly apiKey?: string
  readonly signinUrl: string
  readonly callbackUrl: string
  readonly authorization?: { readonly url: URL }
  readonly token?: { readonly url: URL }
  readonly userinfo?: { readonly url: URL }
  readonly refresh?: { readonly url: URL }
  readonly revocation?: { readonly url: URL }
  /** `fetch` for requests to this provider: https only, with limits on time and size. */
  readonly fetch: Fetch
}

/** Client authentication at the token endpoint (OpenID Connect Core §9, RFC 8705 §2.1.1). */
export type TokenEndpointAuthMethod =
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'client_secret_jwt'
  | 'private_key_jwt'
  | 'tls_client_auth'
  | 'none'

/** Client metadata (RFC 7591 §2, OpenID Connect Registration §2). */
export interface ClientMetadata {
  /** @default 'client_secret_basic' */
  token_endpoint_auth_method?: TokenEndpointAuthMethod | (string & {})
  /** The only accepted signature algorithm of ID tokens. @default as announced by the provider, else 'RS256' */
  id_token_signed_response_alg?: string
  /** Set it if the userinfo response is a signed JWT. */
  userinfo_signed_response_alg?: string
  require_auth_time?: boolean
  /** Maximum age of the authentication at the provider, in seconds. */
  default_max_age?: number
  use_mtls_endpoint_aliases?: boolean
  [parameter: string]: unknown
}

/** A check that binds the authorization response to the request. */
export type Check = 'pkce' | 'state' | 'nonce' | 'none'

/** Context of a `profile` function. */
export interface ProfileContext {
  /** `fetch` for requests to this provider: https only, with limits on time and size. */
  readonly fetch: Fetch
}

/** Context of the validation of an issuer identifier. */
export interface IssuerContext {
  readonly issuer: string
  /** Claims of the ID token that contains the issuer, if there is one; its signature is verified afterwards. */
  readonly claims?: Readonly<Record<string, unknown>>
}

/** The type of a provider endpoint. */
export type OAuthEndpointType = 'authorization' | 'token' | 'userinfo'

/** Maps the profile of the provider to a user. */
export type ProfileCallback<P = Profile> = (
  profile: P,
  tokens: TokenSet,
  context: ProfileContext,
) => Awaitable<User>

/** Selects what is stored of a token response. */
export type AccountCallback = (tokens: TokenSet) => TokenSet | undefined | void

/** Options of `oauth` and `oidc` providers. */
export interface OAuthCommonConfig<P = Profile> extends CommonProviderOptions {
  /** Exact issuer identifier; endpoints that are not set are discovered from it (RFC 8414 §3). */
  issuer?: string | undefined
  /**
   * URL of the metadata document. If it is below `issuer`, the metadata may contain that longer issuer.
   * @default `<issuer>/.well-known/openid-configuration`
   */
  wellKnown?: string | undefined
  authorization?: string | AuthorizationEndpoint | undefined
  token?: string | TokenEndpoint | undefined
  userinfo?: string | UserinfoEndpoint | undefined
  /** @default {@link token} */
  refresh?: string | RefreshEndpoint | undefined
  /** @default discovered */
  revocation?: string | RevocationEndpoint | undefined
  /** Where `signOut({ federated: true })` leads. @default discovered */
  endSession?: string | EndSessionEndpoint | undefined
  /** URL of the JSON Web Key Set (RFC 7517 §5). @default discovered */
  jwks_endpoint?: string | undefined
  clientId?: string | undefined
  clientSecret?: string | undefined
  /** Key for the API of the provider, if it requires one in addition to the access token. */
  apiKey?: string | undefined
  /** Name of the parameter with the client id, if it is not `client_id`. */
  clientIdParameter?: string | undefined
  client?: ClientMetadata | undefined
  /** @default ['state', 'pkce'], and 'nonce' for `oidc` */
  checks?: Check[] | undefined
  /** Maps the profile to a user. Its `id` must be stable; a missing or stringified missing `id` rejects the sign-in. */
  profile?: Hook<[profile: P, tokens: TokenSet, context: ProfileContext], Awaitable<User>>
  /**
   * Selects what is stored of the token response with the account.
   * @default access_token, id_token, refresh_token, expires_at, scope, token_type, session_state
   */
  account?: Hook<[tokens: TokenSet], TokenSet | undefined | void>
  style?: OAuthProviderButtonStyles | undefined
  /** Validates an issuer identifier that may differ from `issuer`. @default `stated === issuer` */
  isIssuer?: Hook<[stated: string, context: IssuerContext], boolean>
  /**
   * Trusts the claim `email_verified`: if it is `true` (or `"true"`), `emailVerified` of a new user is set. Set it only if the
   * provider itself verifies every address it reports. An address considered verified disables eviction, the defence
   * against account pre-hijacking. It does not link accounts. A function decides for each profile, for a provider that
   * hosts only some of the addresses; its result also applies with {@link allowDangerousEmailAccountLinking}.
   * @default false; the provider module states where it is not
   */
  trustEmail?: boolean | Hook<[profile: P], boolean>
  /**
   * Links the account to the existing user with the same e-mail address, if the provider reports the address as
   * verified; implies `trustEmail: true`, unless {@link trustEmail} is a function. An attacker who controls the provider can then take over all accounts.
   * @default false
   */
  allowDangerousEmailAccountLinking?: boolean | undefined
  /** Overrides the option `redirectProxyUrl` for this provider. */
  redirectProxyUrl?: string | undefined
  /** Additional audiences that an ID token may contain (OpenID Connect Core §3.1.3.7). @default none */
  trustedAudiences?: readonly string[] | undefined
  [customFetch]?: Fetch | undefined
  [insecureHttp]?: boolean | undefined
  [untypedLogoutTokens]?: boolean | undefined
  [postedUser]?: boolean | undefined
}

/** An OAuth 2 provider (RFC 6749) that is not an OpenID provider; `Given` is the id in the options, `''` if they have none. */
export interface OAuth2Config<
  P = Profile,
  Id extends string = string,
  Given extends string = string,
> extends OAuthCommonConfig<P> {
  id: Id
  type: 'oauth'
  /** Options of the application, deep-merged over the provider. */
  options?: OAuthUserConfig<P, Given> | undefined
}

/** An OpenID provider (OpenID Connect); `Given` is the id in the options, `''` if they have none. */
export interface OIDCConfig<
  P = Profile,
  Id extends string = string,
  Given extends string = string,
> extends OAuthCommonConfig<P> {
  id: Id
  type: 'oidc'
  /** `false`: the profile is the userinfo response instead of the ID token. @default true */
  idToken?: boolean | undefined
  /**
   * Trusts what the provider states in `amr` and `acr` of its ID token about how the user was authenticated there. `amr`
   * with `mfa` or with two kinds of factor is level 2 of `requireAuth`. An object also maps values of `acr` to a level,
   * which then decides: `{ 'urn:okta:loa:2fa:any': 2 }`. The operator of the provider can claim any level.
   * @default false
   */
  trustsAssurance?: boolean | Readonly<Record<string, 1 | 2>> | undefined
  /** Options of the application, deep-merged over the provider. */
  options?: OIDCUserConfig<P, Given> | undefined
}

/** A provider of type `oauth` or `oidc`. */
export type OAuthConfig<P = Profile> = OAuth2Config<P> | OIDCConfig<P>

/** Options that an application may set on an `oauth` provider. */
export interface OAuthUserConfig<P = Profile, Id extends string = string> extends Partial<
  Omit<OAuth2Config<P>, 'options' | 'type' | typeof postedUser>
> {
  /** @default that of the provider */
  id?: Id
}

/** Options that an application may set on an `oidc` provider. */
export interface OIDCUserConfig<P = Profile, Id extends string = string> extends Partial<
  Omit<OIDCConfig<P>, 'options' | 'type' | typeof postedUser>
> {
  /** @default that of the provider */
  id?: Id
}

// `any`: a provider with any type of profile fits.
/** A provider of any type, as an object. */
export type ProviderConfig<P = any> =
  OAuthConfig<P> | CredentialsConfig | EmailConfig | WebAuthnConfig

/** An entry of the `providers` list: an object, or a factory that returns one. */
export type Provider<P = any> = ProviderConfig<P> | ((...args: never[]) => ProviderConfig<P>)

/** A provider with the URLs of its routes. */
export type AppProvider = ProviderConfig & Pick<PublicProvider, 'signinUrl' | 'callbackUrl'>
