import {
  InvalidConfiguration,
  InvalidEndpoints,
  MissingAuthorize,
} from '../errors/configuration.ts'
import { isAllowed } from '../flows/oauth/endpoint-url.ts'
import type { HttpPolicy } from '../flows/oauth/endpoint-url.ts'
import { isOriginPattern, isProxyUrl } from '../flows/oauth/endpoint-url.ts'
import { isProviderId } from '../http/path.ts'
import { insecureHttp } from '../symbols.ts'
import { providerNames } from '../variables.ts'
import { describeUrl, describeValue } from './describe-value.ts'
import type { OAuthConfig } from './provider.ts'
import type { Rule } from './validate.ts'

function urlOf(
  endpoint: string | { readonly url?: string | undefined } | undefined,
): string | undefined {
  return typeof endpoint === 'string' ? endpoint : endpoint?.url
}

/** Entries that are not providers were found when the list was parsed. */
const hasProviders: Rule = ({ problems }) => problems

const hasUsableIds: Rule = ({ providers, placeOf }) =>
  providers.flatMap((provider) => {
    const { id } = provider
    if (isProviderId(id)) return []
    const [place] = placeOf(provider).split(' ')
    return [
      new InvalidConfiguration(
        `${place} has an id that cannot be part of a path (got ${describeValue(id)}). Use letters, digits, "-", "_", "." and "~".`,
      ),
    ]
  })

/** The endpoints that a provider without metadata requires (RFC 8414). */
function missingEndpoints(provider: OAuthConfig): string[] {
  if (provider.issuer || provider.wellKnown || provider.type === 'oidc') return []
  const { authorization, token, userinfo } = provider
  const asksItself = typeof userinfo === 'object' && userinfo.request !== undefined
  const needed = {
    authorization: urlOf(authorization),
    token: urlOf(token),
    ...(!asksItself && { userinfo: urlOf(userinfo) }),
  }
  return Object.entries(needed).flatMap(([name, url]) => (url ? [] : [name]))
}

function endpointProblems(provider: OAuthConfig, http: HttpPolicy): string[] {
  const policy = provider[insecureHttp] ? 'any' : http
  const { issuer, wellKnown, authorization, token, userinfo, jwks_endpoint } = provider
  const urls = {
    issuer,
    wellKnown,
    authorization: urlOf(authorization),
    token: urlOf(token),
    userinfo: urlOf(userinfo),
    jwks_endpoint,
  }
  return Object.entries(urls).flatMap(([name, url]) => {
    if (!url) return []
    if (!URL.canParse(url)) return [`${name} is not a URL (got ${describeValue(url)}).`]
    if (isAllowed(new URL(url), policy)) return []
    return [
      `${name} is not https (got ${describeUrl(url)}). Set [insecureHttp]: true on the provider to allow http.`,
    ]
  })
}

function metadataProblems(provider: OAuthConfig): string[] {
  const { id, type, issuer, wellKnown } = provider
  if (type === 'oidc' && !issuer && !wellKnown)
    return [
      `issuer is missing, and ID tokens cannot be validated without it. Set issuer, or ${providerNames(id, 'issuer')[0]} in the environment.`,
    ]
  const missing = missingEndpoints(provider)
  return missing.length === 0
    ? []
    : [
        `no endpoint for ${missing.join(', ')}, and no issuer to discover it from. Set the endpoints, or issuer.`,
      ]
}

/** Client authentication methods that need a secret (OpenID Connect Core §9). */
const WITH_SECRET: ReadonlySet<string> = new Set([
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
])

export function needsSecret({ client }: Pick<OAuthConfig, 'client'>): boolean {
  return WITH_SECRET.has(client?.token_endpoint_auth_method ?? 'client_secret_basic')
}

/** A provider without a client id is not in use, so it is not checked. */
function clientProblems(provider: OAuthConfig): string[] {
  const { id, clientId, clientSecret, client, token } = provider
  if (!clientId) return []
  if (needsSecret(provider) && !clientSecret)
    return [
      `clientSecret is missing. Set it, or ${providerNames(id, 'clientSecret')[0]} in the environment; for a client without a secret, set client.token_endpoint_auth_method to "none".`,
    ]
  const hasKey = typeof token === 'object' && token.clientPrivateKey !== undefined
  if (client?.token_endpoint_auth_method !== 'private_key_jwt' || hasKey) return []
  return ['token.clientPrivateKey is missing, and private_key_jwt needs it.']
}

const hasUsableClients: Rule = ({ providers, placeOf }) =>
  providers.flatMap((provider) => {
    if (provider.type !== 'oauth' && provider.type !== 'oidc') return []
    return clientProblems(provider).map(
      (problem) => new InvalidConfiguration(`${placeOf(provider)}: ${problem}`),
    )
  })

const hasUsableEndpoints: Rule = ({ providers, placeOf, http }) =>
  providers.flatMap((provider) => {
    if (provider.type !== 'oauth' && provider.type !== 'oidc') return []
    return [...endpointProblems(provider, http), ...metadataProblems(provider)].map(
      (problem) => new InvalidEndpoints(`${placeOf(provider)}: ${problem}`),
    )
  })

const hasUsableRedirectProxy: Rule = ({ config, providers, placeOf, http }) => {
  const urls = providers.flatMap((provider): [string, string | undefined][] => {
    const isOAuth = provider.type === 'oauth' || provider.type === 'oidc'
    return isOAuth ? [[`${placeOf(provider)}: `, provider.redirectProxyUrl]] : []
  })
  const problems = [['', config.redirectProxyUrl] as const, ...urls].flatMap(([place, url]) => {
    if (!url || isProxyUrl(url, http)) return []
    return [
      `${place}redirectProxyUrl is not an https URL of the routes of a deployment (got ${describeUrl(url)}). Write it like https://auth.example.com/auth.`,
    ]
  })
  for (const [index, pattern] of (config.redirectProxyAllowedOrigins ?? []).entries())
    if (!isOriginPattern(pattern, http))
      problems.push(
        `redirectProxyAllowedOrigins[${index}] is not an https origin (got ${describeValue(pattern)}). Write it like https://preview.example.com or https://*.example.com.`,
      )
  return problems.map((problem) => new InvalidConfiguration(problem))
}

const canAuthorize: Rule = ({ providers, placeOf }) =>
  providers.flatMap((provider) => {
    if (provider.type !== 'credentials' || typeof provider.authorize === 'function') return []
    return [
      new MissingAuthorize(
        `${placeOf(provider)} has no authorize function. Set authorize: it returns the user, or null.`,
      ),
    ]
  })

const canSendMail: Rule = ({ providers, placeOf }) =>
  providers.flatMap((provider) => {
    if (provider.type !== 'email' || typeof provider.sendVerificationRequest === 'function')
      return []
    return [
      new InvalidConfiguration(
        `${placeOf(provider)} has no sendVerificationRequest function. Set it: it sends the magic link.`,
      ),
    ]
  })

export const providerRules: readonly Rule[] = [
  hasProviders,
  hasUsableIds,
  hasUsableEndpoints,
  hasUsableClients,
  hasUsableRedirectProxy,
  canAuthorize,
  canSendMail,
]
