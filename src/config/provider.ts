/** What a provider is: data, and named hooks for what data cannot say. */
import type { customFetch, insecureHttp } from '../symbols.ts'
import type {
  Awaitable,
  Fetch,
  Hook,
  Profile,
  ProviderType,
  PublicProvider,
  TokenSet,
  Untyped,
  User,
} from '../types.ts'
import type { CredentialsConfig } from './credentials.ts'
import type { EmailConfig } from './email.ts'

/** What every provider has. */
export interface CommonProviderOptions {
  /** Names the provider in URLs, accounts and environment variables. */
  id: string
  /** Shown to people. */
  name: string
  type: ProviderType
}

/** How the sign-in button of a provider looks. */
export interface OAuthProviderButtonStyles {
  /** URL of a picture. */
  logo?: string
  /** A CSS colour. */
  brandColor?: string
  /** @deprecated use `brandColor` */
  bg?: string
  /** @deprecated has no effect */
  text?: string
}

/** Where a request goes, and what it carries. */
export interface Endpoint {
  url?: string | undefined
  /** Query parameters. */
  params?: Readonly<Record<string, unknown>> | undefined
}

/** The authorization endpoint (RFC 6749 §3.1). */
export interface AuthorizationEndpoint extends Endpoint {}

/** A private key for `private_key_jwt`, with the `kid` the provider knows it by. */
export interface ClientPrivateKey {
  key: CryptoKey
  kid?: string
}

/** The token endpoint (RFC 6749 §3.2). */
export interface TokenEndpoint extends Endpoint {
  /** Turns an answer that breaks the rules into one that keeps them; return nothing to leave it as it is. */
  conform?: Hook<[response: Response], Awaitable<Response | undefined | void>>
  /** Key for the client authentication method `private_key_jwt` (RFC 7523 §2.2). */
  clientPrivateKey?: CryptoKey | ClientPrivateKey | undefined
}

/** The userinfo endpoint (OpenID Connect Core §5.3). */
export interface UserinfoEndpoint extends Endpoint {
  /** Replaces the request to the userinfo endpoint. */
  request?: Hook<[{ tokens: TokenSet; provider: OAuthProviderContext }], Awaitable<Profile>>
}

/** Facts about a provider with every default filled in, as {@link UserinfoEndpoint.request} sees them. */
export interface OAuthProviderContext extends CommonProviderOptions {
  readonly issuer?: string
  readonly clientId: string
  readonly clientSecret?: string
  readonly signinUrl: string
  readonly callbackUrl: string
  readonly authorization?: { readonly url: URL }
  readonly token?: { readonly url: URL }
  readonly userinfo?: { readonly url: URL }
  /** The `fetch` for this provider: https only, with limits on time and size. */
  readonly fetch: Fetch
}

/** How the client proves itself at the token endpoint (OpenID Connect Core §9, RFC 8705 §2.1.1). */
export type TokenEndpointAuthMethod =
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'client_secret_jwt'
  | 'private_key_jwt'
  | 'tls_client_auth'
  | 'none'

/** Registered metadata of the client (RFC 7591 §2, OpenID Connect Registration §2). */
export interface ClientMetadata {
  /** @default 'client_secret_basic' */
  token_endpoint_auth_method?: TokenEndpointAuthMethod | (string & {})
  /** The one algorithm ID tokens may be signed with. @default what the provider announces, else 'RS256' */
  id_token_signed_response_alg?: string
  /** Set when the userinfo endpoint answers with a signed JWT. */
  userinfo_signed_response_alg?: string
  require_auth_time?: boolean
  /** Seconds since the person last proved who they are. */
  default_max_age?: number
  use_mtls_endpoint_aliases?: boolean
  [parameter: string]: unknown
}

/** A proof that the answer belongs to the request. */
export type Check = 'pkce' | 'state' | 'nonce' | 'none'

/** What a `profile` function may need besides the profile. */
export interface ProfileContext {
  /** The `fetch` for this provider: https only, with limits on time and size. */
  readonly fetch: Fetch
}

/** What there is to judge an issuer identifier by. */
export interface IssuerContext {
  /** The configured one. */
  readonly issuer: string
  /** The claims of the ID token that states it, when one does; its signature is checked afterwards. */
  readonly claims?: Readonly<Record<string, unknown>>
}

/** Names an endpoint of a provider. */
export type OAuthEndpointType = 'authorization' | 'token' | 'userinfo'

/** Turns what a provider says into a user. */
export type ProfileCallback<P = Profile> = (
  profile: P,
  tokens: TokenSet,
  context: ProfileContext,
) => Awaitable<User>

/** Chooses what of a token response is stored with the account. */
export type AccountCallback = (tokens: TokenSet) => TokenSet | undefined | void

/** What `oauth` and `oidc` providers share. */
export interface OAuthCommonConfig<P = Profile> extends CommonProviderOptions {
  /** Exact issuer identifier; endpoints that are not given are discovered from it (RFC 8414 §3). */
  issuer?: string | undefined
  /**
   * URL of the metadata document. If it is below `issuer`, the metadata may name that longer issuer.
   *
   * @default `<issuer>/.well-known/openid-configuration`
   */
  wellKnown?: string | undefined
  authorization?: string | AuthorizationEndpoint | undefined
  token?: string | TokenEndpoint | undefined
  userinfo?: string | UserinfoEndpoint | undefined
  /** URL of the key set (RFC 7517 §5). @default discovered */
  jwks_endpoint?: string | undefined
  clientId?: string | undefined
  clientSecret?: string | undefined
  client?: ClientMetadata | undefined
  /** @default ['state', 'pkce'], and 'nonce' for `oidc` */
  checks?: Check[] | undefined
  /**
   * Turns what the provider says into a user. Its `id` must be there and stay the same: nobody gets in
   * without one, nor with what `String()` makes of a missing one.
   */
  profile?: Hook<[profile: P, tokens: TokenSet, context: ProfileContext], Awaitable<User>>
  /**
   * Chooses what of the token response is stored with the account.
   *
   * @default access_token, id_token, refresh_token, expires_at, scope, token_type, session_state
   */
  account?: Hook<[tokens: TokenSet], TokenSet | undefined | void>
  style?: OAuthProviderButtonStyles | undefined
  /**
   * Says whether an issuer identifier is the one of this provider, where it is not `issuer` to the letter.
   *
   * @default `stated === issuer`
   */
  isIssuer?: Hook<[stated: string, context: IssuerContext], boolean>
  /**
   * Trusts the claim `email_verified` of this provider: `emailVerified` of a new user is set when it is `true`. Set it
   * only if the provider itself verifies every address it reports. An address that is taken for verified switches off
   * eviction, the defence against account pre-hijacking. It does not link accounts.
   *
   * @default false; the provider module states where it is `true`
   */
  trustEmail?: boolean | undefined
  /**
   * Signs somebody in to the existing user with the same e-mail address, if the provider says that the
   * address is verified; implies {@link trustEmail}. Whoever controls the provider can then become any of your users.
   *
   * @default false
   */
  allowDangerousEmailAccountLinking?: boolean | undefined
  /** Overrides {@link AuthConfig.redirectProxyUrl} for this provider. */
  redirectProxyUrl?: string | undefined
  /** Further audiences an ID token may name (OpenID Connect Core §3.1.3.7). @default none */
  trustedAudiences?: readonly string[] | undefined
  [customFetch]?: Fetch | undefined
  [insecureHttp]?: boolean | undefined
}

/** A provider that speaks OAuth 2 (RFC 6749) and has its own way of telling who signed in. */
export interface OAuth2Config<P = Profile> extends OAuthCommonConfig<P> {
  type: 'oauth'
  /** What the application set; deep-merged over the rest. */
  options?: OAuthUserConfig<P> | undefined
}

/** A provider that speaks OpenID Connect. */
export interface OIDCConfig<P = Profile> extends OAuthCommonConfig<P> {
  type: 'oidc'
  /** `false`: read the profile from the userinfo endpoint instead of the ID token. @default true */
  idToken?: boolean | undefined
  /** What the application set; deep-merged over the rest. */
  options?: OIDCUserConfig<P> | undefined
}

/** Either kind. */
export type OAuthConfig<P = Profile> = OAuth2Config<P> | OIDCConfig<P>

/** What an application may set on an `oauth` provider. */
export interface OAuthUserConfig<P = Profile> extends Partial<
  Omit<OAuth2Config<P>, 'options' | 'type'>
> {}

/** What an application may set on an `oidc` provider. */
export interface OIDCUserConfig<P = Profile> extends Partial<
  Omit<OIDCConfig<P>, 'options' | 'type'>
> {}

/** A provider as an object. */
export type ProviderConfig<P = Untyped> = OAuthConfig<P> | CredentialsConfig | EmailConfig

/** An entry of the `providers` list: an object, or the factory that makes it. */
export type Provider<P = Untyped> = ProviderConfig<P> | ((...args: never[]) => ProviderConfig<P>)

/** A provider with the URLs of its routes. */
export type AppProvider = ProviderConfig & Pick<PublicProvider, 'signinUrl' | 'callbackUrl'>
