import type { AuthorizationServer, Client } from 'oauth4webapi'
import type {
  Check,
  ClientMetadata,
  EndSessionEndpoint,
  Endpoint,
  OAuthConfig,
  OAuthProviderContext,
  OIDCConfig,
  RefreshEndpoint,
  RevocationEndpoint,
  TokenEndpoint,
  TokensRequest,
  UserinfoEndpoint,
} from '../../config/provider.ts'
import type { Context, SessionContext } from '../../contracts.ts'
import type { Secrets } from '../../log/secrets.ts'
import { accountId } from './account-id.ts'
import { customFetch, insecureHttp } from '../../symbols.ts'
import type { StoredTokens } from '../../tokens/stored-tokens.ts'
import type { Fetch, Profile, TokenSet, User } from '../../types.ts'
import { usesFormPost } from './endpoint-url.ts'
import type { HttpPolicy } from './endpoint-url.ts'
import { guardedFetch } from './fetch.ts'

/** The endpoints that the flow uses, by their names in the metadata (RFC 8414 §2). */
export interface Endpoints {
  readonly authorization_endpoint: Endpoint
  readonly token_endpoint: TokenEndpoint
  readonly userinfo_endpoint: UserinfoEndpoint
  readonly jwks_uri: Endpoint
}

export interface RedirectProxy {
  readonly origin: string
  /** Includes the base path. */
  readonly url: string
  /** Origins or patterns such as `https://*.example.com`. */
  readonly allowedOrigins: readonly string[]
  readonly http: HttpPolicy
}

type Defaulted = 'profile' | 'account' | 'isIssuer'
type Options = Omit<
  OIDCConfig,
  'type' | 'options' | 'checks' | 'client' | 'refresh' | 'revocation' | 'endSession' | Defaulted
>
type Hooks = { readonly [K in Defaulted]: NonNullable<OIDCConfig[K]> }

/** The options of a provider with defaults, and what follows from them. */
export interface ConfiguredProvider extends Readonly<Options>, Hooks {
  readonly type: OAuthConfig['type']
  readonly endpoints: Endpoints
  readonly refresh: RefreshEndpoint
  readonly revocation: RevocationEndpoint
  readonly endSession: EndSessionEndpoint
  readonly metadataUrl: string | undefined
  /** Issuer derived from `wellKnown`, if below the configured one: some vendors publish their root URL as issuer. */
  readonly issuerBelow: string | undefined
  readonly client: ClientMetadata
  readonly checks: ReadonlySet<Check>
  readonly redirectProxy: RedirectProxy | undefined
  /** The site that sends the authorization response: a page of the provider posts it with `form_post`. */
  readonly responseFrom: 'same-site' | 'cross-site'
  readonly http: HttpPolicy
  /** Identifies the cache of documents. */
  readonly fetcher: Fetch
}

export interface OAuthProvider extends ConfiguredProvider {
  /** In milliseconds as `performance.now()`. */
  readonly deadline: number
  readonly secrets: Secrets
  readonly fetch: Fetch
}

export interface SignInParties {
  readonly ctx: Context
  readonly provider: OAuthProvider
  readonly server: AuthorizationServer
  readonly client: Client
  readonly redirectUri: string
}

export interface OAuthSettings {
  readonly fetch: Fetch | undefined
  /** Default for providers without `insecureHttp`. */
  readonly http: HttpPolicy
  readonly redirectProxyUrl?: string | undefined
  readonly redirectProxyAllowedOrigins?: readonly string[] | undefined
}

const WELL_KNOWN = '/.well-known/openid-configuration'

type MetadataPlace = Pick<ConfiguredProvider, 'metadataUrl' | 'issuerBelow'>

function locateMetadata({ issuer, wellKnown }: OAuthConfig): MetadataPlace {
  const root = issuer?.replace(/\/$/, '')
  const standard = root && root + WELL_KNOWN
  const at = { metadataUrl: wellKnown || standard, issuerBelow: undefined }
  if (!root || !wellKnown?.startsWith(`${root}/`) || !wellKnown.endsWith(WELL_KNOWN)) return at
  const issuerBelow = wellKnown.slice(0, -WELL_KNOWN.length)
  const path = issuerBelow.slice(root.length)
  if (path === '') return at
  // The provider module appends the path, but the configured issuer already contains it.
  if (root.endsWith(path)) return { ...at, metadataUrl: standard }
  return { ...at, issuerBelow }
}

function endpoint<E extends Endpoint>(value: string | E | undefined): E | Endpoint {
  return typeof value === 'string' ? { url: value } : (value ?? {})
}

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

/** Maps the standard claims (OpenID Connect Core §5.1). */
function defaultProfile(profile: Profile): User {
  const id: unknown = profile.id
  return {
    id: accountId(text(profile.sub) ?? id),
    name: profile.name ?? profile.nickname ?? profile.preferred_username,
    email: profile.email,
    image: text(profile.picture),
  }
}

/** Tokens that adapters have columns for. */
const STORED = /^(?:(?:access|id|refresh)_token|expires_at|scope|token_type|session_state)$/

function defaultAccount(tokens: TokenSet): TokenSet {
  const isStored = ([name, value]: [string, unknown]) => STORED.test(name) && value !== undefined
  return Object.fromEntries(Object.entries(tokens).filter(isStored))
}

function parseRedirectProxy(url: string, settings: OAuthSettings): RedirectProxy {
  const { origin, pathname } = new URL(url)
  const { http, redirectProxyAllowedOrigins: allowedOrigins = [] } = settings
  return { origin, url: origin + pathname.replace(/\/$/, ''), allowedOrigins, http }
}

export function resolveProvider(config: OAuthConfig, settings: OAuthSettings): ConfiguredProvider {
  const checks = new Set<Check>(config.checks ?? ['state', 'pkce'])
  if (!config.checks && config.type === 'oidc') checks.add('nonce')
  if (checks.has('none')) checks.clear()
  const proxyUrl = config.redirectProxyUrl ?? settings.redirectProxyUrl
  // The redirect proxy reads the target of the redirect from the state.
  if (proxyUrl) checks.add('state')
  return {
    ...config,
    ...locateMetadata(config),
    endpoints: {
      authorization_endpoint: endpoint(config.authorization),
      token_endpoint: endpoint(config.token),
      userinfo_endpoint: endpoint(config.userinfo),
      jwks_uri: { url: config.jwks_endpoint },
    },
    refresh: endpoint(config.refresh),
    revocation: endpoint(config.revocation),
    endSession: endpoint(config.endSession),
    client: config.client ?? {},
    checks,
    redirectProxy: proxyUrl ? parseRedirectProxy(proxyUrl, settings) : undefined,
    responseFrom: usesFormPost(config.authorization) ? 'cross-site' : 'same-site',
    http: config[insecureHttp] ? 'any' : settings.http,
    fetcher: config[customFetch] ?? settings.fetch ?? globalThis.fetch,
    isIssuer: config.isIssuer ?? ((stated, { issuer }) => stated === issuer),
    profile: config.profile ?? defaultProfile,
    account: config.account ?? defaultAccount,
  }
}

export function forRequest(
  provider: ConfiguredProvider,
  { deadline, secrets }: Pick<OAuthProvider, 'deadline' | 'secrets'>,
): OAuthProvider {
  const { fetcher, http, clientSecret, apiKey } = provider
  secrets.add(clientSecret)
  secrets.add(apiKey)
  return {
    ...provider,
    deadline,
    secrets,
    fetch: guardedFetch(fetcher, { http, deadline, secrets }),
  }
}

/** The provider as functions of the application receive it. */
export function providerContext(
  ctx: Pick<SessionContext, 'origin' | 'config'>,
  provider: OAuthProvider,
): OAuthProviderContext {
  const { id, name, type, issuer, clientSecret, clientId = '', apiKey, fetch, endpoints } = provider
  const base = `${ctx.origin}${ctx.config.basePath}`
  const routes = { signinUrl: `${base}/signin/${id}`, callbackUrl: `${base}/callback/${id}` }
  const given = {
    authorization: endpoints.authorization_endpoint,
    token: endpoints.token_endpoint,
    userinfo: endpoints.userinfo_endpoint,
    refresh: provider.refresh,
    revocation: provider.revocation,
  }
  const urls = Object.entries(given).flatMap(([option, { url }]) => {
    return url && URL.canParse(url) ? [[option, { url: new URL(url) }] as const] : []
  })
  const settings = Object.entries({ issuer, clientSecret, apiKey })
  const set = Object.fromEntries(settings.filter(([, value]) => value !== undefined))
  return { id, name, type, clientId, fetch, ...routes, ...set, ...Object.fromEntries(urls) }
}

/** The parameters of a request with stored tokens. */
export function tokensRequest(
  ctx: SessionContext,
  provider: OAuthProvider,
  { access_token, refresh_token, id_token }: StoredTokens,
): TokensRequest {
  const stored = Object.entries({ access_token, refresh_token, id_token })
  const tokens = Object.fromEntries(stored.filter(([, value]) => value !== undefined))
  return { tokens, provider: providerContext(ctx, provider) }
}
