import type {
  Check,
  ClientMetadata,
  Endpoint,
  IssuerContext,
  OAuthConfig,
  ProfileContext,
  TokenEndpoint,
  UserinfoEndpoint,
} from '../../config/provider.ts'
import type { Secrets } from '../../log/secrets.ts'
import { customFetch, insecureHttp } from '../../symbols.ts'
import type { Awaitable, Fetch, Profile, TokenSet, User } from '../../types.ts'
import { guardedFetch } from './fetch.ts'
import type { HttpPolicy } from './http-policy.ts'
import { responseModeOf } from './response-mode.ts'
import type { ResponseMode } from './response-mode.ts'
import { locateMetadata } from './well-known.ts'
import type { MetadataLocation } from './well-known.ts'

export interface Endpoints {
  readonly authorization: Endpoint
  readonly token: TokenEndpoint
  readonly userinfo: UserinfoEndpoint
  readonly jwks: string | undefined
}

export interface RedirectProxy {
  readonly origin: string
  /** Includes the base path. */
  readonly url: string
  /** Origins or patterns such as `https://*.example.com`. */
  readonly allowedOrigins: readonly string[]
  readonly http: HttpPolicy
}

export interface ConfiguredProvider extends MetadataLocation {
  readonly id: string
  readonly name: string
  readonly type: 'oauth' | 'oidc'
  readonly issuer: string | undefined
  readonly endpoints: Endpoints
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly client: ClientMetadata
  readonly checks: ReadonlySet<Check>
  readonly redirectProxy: RedirectProxy | undefined
  readonly responseMode: ResponseMode
  readonly claimsFrom: 'id_token' | 'userinfo'
  readonly trustedAudiences: readonly string[]
  /** Whether `email_verified` of this provider is trusted. */
  readonly verifiesEmail: boolean
  /** Whether a verified e-mail address is enough to link the account to an existing user with that address. */
  readonly trustsEmail: boolean
  readonly http: HttpPolicy
  /** Identifies the cache of documents. */
  readonly fetcher: Fetch
  isIssuer(stated: string, context: IssuerContext): boolean
  profile(profile: Profile, tokens: TokenSet, context: ProfileContext): Awaitable<User>
  account(tokens: TokenSet): TokenSet | undefined | void
}

export interface OAuthProvider extends ConfiguredProvider {
  /** In milliseconds since the epoch. */
  readonly deadline: number
  readonly secrets: Secrets
  readonly fetch: Fetch
}

export interface OAuthSettings {
  readonly fetch: Fetch | undefined
  /** Default for providers without `insecureHttp`. */
  readonly http: HttpPolicy
  readonly redirectProxyUrl?: string | undefined
  readonly redirectProxyAllowedOrigins?: readonly string[] | undefined
}

function endpoint<E extends Endpoint>(value: string | E | undefined): E | Endpoint {
  return typeof value === 'string' ? { url: value } : (value ?? {})
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value ? value : undefined
}

/** Maps the standard claims (OpenID Connect Core §5.1). */
function defaultProfile(profile: Profile): User {
  return {
    id: text(profile.sub) ?? text(profile.id) ?? numericId(profile.id),
    name: profile.name ?? profile.nickname ?? profile.preferred_username,
    email: profile.email,
    image: text(profile.picture),
  }
}

function numericId(id: unknown): string | undefined {
  return typeof id === 'number' ? String(id) : undefined
}

/** Tokens that adapters have columns for. */
const STORED = [
  'access_token',
  'id_token',
  'refresh_token',
  'expires_at',
  'scope',
  'token_type',
  'session_state',
]

function defaultAccount(tokens: TokenSet): TokenSet {
  const entries = STORED.map((name) => [name, tokens[name]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function defaultChecks({ type }: OAuthConfig): readonly Check[] {
  return type === 'oidc' ? ['state', 'pkce', 'nonce'] : ['state', 'pkce']
}

function redirectProxyOf(
  config: OAuthConfig,
  { redirectProxyUrl, redirectProxyAllowedOrigins = [], http }: OAuthSettings,
): RedirectProxy | undefined {
  const url = config.redirectProxyUrl ?? redirectProxyUrl
  if (!url) return undefined
  const { origin, pathname } = new URL(url)
  return {
    origin,
    url: origin + pathname.replace(/\/$/, ''),
    allowedOrigins: [...redirectProxyAllowedOrigins],
    http,
  }
}

export function resolveProvider(config: OAuthConfig, settings: OAuthSettings): ConfiguredProvider {
  const authorization = endpoint(config.authorization)
  const fetcher = config[customFetch] ?? settings.fetch ?? globalThis.fetch
  const http = config[insecureHttp] ? 'any' : settings.http
  const checks = new Set(config.checks ?? defaultChecks(config))
  if (checks.has('none')) checks.clear()
  const redirectProxy = redirectProxyOf(config, settings)
  const trustsEmail = config.allowDangerousEmailAccountLinking === true
  // The redirect proxy reads the target of the redirect from the state.
  if (redirectProxy) checks.add('state')
  return {
    id: config.id,
    name: config.name,
    type: config.type,
    issuer: config.issuer,
    ...locateMetadata(config),
    endpoints: {
      authorization,
      token: endpoint(config.token),
      userinfo: endpoint(config.userinfo),
      jwks: config.jwks_endpoint,
    },
    clientId: config.clientId,
    clientSecret: config.clientSecret,
    client: config.client ?? {},
    checks,
    redirectProxy,
    responseMode: responseModeOf(config.authorization),
    claimsFrom: config.type === 'oidc' && config.idToken === false ? 'userinfo' : 'id_token',
    trustedAudiences: config.trustedAudiences ?? [],
    verifiesEmail: config.trustEmail === true || trustsEmail,
    trustsEmail,
    http,
    fetcher,
    isIssuer: (stated, context) =>
      config.isIssuer ? config.isIssuer(stated, context) : stated === context.issuer,
    profile: (profile, tokens, context) =>
      config.profile ? config.profile(profile, tokens, context) : defaultProfile(profile),
    account: (tokens) => (config.account ? config.account(tokens) : defaultAccount(tokens)),
  }
}

export function forRequest(
  provider: ConfiguredProvider,
  { deadline, secrets }: Pick<OAuthProvider, 'deadline' | 'secrets'>,
): OAuthProvider {
  const { fetcher, http, clientSecret } = provider
  secrets.add(clientSecret)
  return { ...provider, deadline, secrets, fetch: guardedFetch(fetcher, { http, deadline }) }
}
