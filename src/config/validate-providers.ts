import {
  InvalidConfiguration,
  InvalidEndpoints,
  MissingAuthorize,
} from '../errors/configuration.ts'
import { isAllowed, isOriginPattern, isProxyUrl } from '../flows/oauth/endpoint-url.ts'
import type { HttpPolicy } from '../flows/oauth/endpoint-url.ts'
import { isProviderId } from '../http/path.ts'
import { insecureHttp } from '../symbols.ts'
import { providerNames } from '../variables.ts'
import { describeUrl, describeValue } from './describe-value.ts'
import type { Endpoint, OAuthConfig, ProviderConfig } from './provider.ts'
import type { Draft, Rule, RuleRow } from './validate.ts'

interface Place {
  /** `providers[0] (github)` */
  readonly place: string
  readonly http: HttpPolicy
}

type ProviderRule = (provider: ProviderConfig, where: Place) => Iterable<string>

export function isOAuth(provider: ProviderConfig): provider is OAuthConfig {
  return provider.type === 'oauth' || provider.type === 'oidc'
}

function urlOf(endpoint: string | Endpoint | undefined): string | undefined {
  return typeof endpoint === 'string' ? endpoint : endpoint?.url
}

const idProblem: ProviderRule = function* ({ id }, { place }) {
  if (!isProviderId(id))
    yield `${place.split(' ', 1)[0]} has an id that cannot be part of a path (got ${describeValue(id)}). Use letters, digits, "-", "_", "." and "~".`
}

/** The endpoints that a provider without metadata requires (RFC 8414), and an issuer for ID tokens. */
const endpointProblems: ProviderRule = function* (provider, { place, http }) {
  if (!isOAuth(provider)) return
  const { issuer, wellKnown, userinfo, jwks_endpoint } = provider
  const endpoints = {
    authorization: urlOf(provider.authorization),
    token: urlOf(provider.token),
    userinfo: urlOf(userinfo),
  }
  const policy = provider[insecureHttp] ? 'any' : http
  const urls = { issuer, wellKnown, ...endpoints, jwks_endpoint }
  for (const [name, url] of Object.entries(urls)) {
    if (!url) continue
    if (!URL.canParse(url))
      yield `${place}: ${name} is not a URL (got ${describeValue(url)}). Write it in full: https://idp.example.com/path.`
    else if (!isAllowed(new URL(url), policy))
      yield `${place}: ${name} is not https (got ${describeUrl(url)}). Set [insecureHttp]: true on the provider to allow http.`
  }
  if (issuer || wellKnown) return
  if (provider.type === 'oidc')
    yield `${place}: issuer is missing, and ID tokens cannot be validated without it. Set issuer, or ${providerNames(provider.id, 'issuer')[0]} in the environment.`
  const hasRequest = typeof userinfo === 'object' && userinfo.request !== undefined
  const missing = Object.entries(endpoints).flatMap(([name, url]) =>
    url || (name === 'userinfo' && hasRequest) ? [] : [name],
  )
  if (provider.type === 'oauth' && missing.length > 0)
    yield `${place}: no endpoint for ${missing.join(', ')}, and no issuer to discover it from. Set the endpoints, or issuer.`
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
const clientProblems: ProviderRule = function* (provider, { place }) {
  if (!isOAuth(provider) || !provider.clientId) return
  const { id, clientSecret, client, token } = provider
  if (needsSecret(provider) && !clientSecret)
    yield `${place}: clientSecret is missing. Set it, or ${providerNames(id, 'clientSecret')[0]} in the environment; for a client without a secret, set client.token_endpoint_auth_method to "none".`
  const hasKey = typeof token === 'object' && token.clientPrivateKey !== undefined
  if (client?.token_endpoint_auth_method === 'private_key_jwt' && !hasKey)
    yield `${place}: token.clientPrivateKey is missing. Set it to the key that signs client assertions, because client.token_endpoint_auth_method is "private_key_jwt".`
}

const redirectProxyProblems: Rule = function* ({ config, providers, placeOf, http }) {
  const urls = providers
    .filter(isOAuth)
    .map((provider) => [`${placeOf(provider)}: `, provider.redirectProxyUrl] as const)
  for (const [place, url] of [['', config.redirectProxyUrl] as const, ...urls])
    if (url && !isProxyUrl(url, http))
      yield `${place}redirectProxyUrl is not an https URL of the routes of a deployment (got ${describeUrl(url)}). Write it like https://auth.example.com/auth.`
  for (const [index, pattern] of (config.redirectProxyAllowedOrigins ?? []).entries())
    if (!isOriginPattern(pattern, http))
      yield `redirectProxyAllowedOrigins[${index}] is not an https origin (got ${describeValue(pattern)}). Write it like https://preview.example.com or https://*.example.com.`
}

const authorizeProblem: ProviderRule = function* (provider, { place }) {
  if (provider.type === 'credentials' && typeof provider.authorize !== 'function')
    yield `${place} has no authorize function. Set authorize: it returns the user, or null.`
}

const sendProblem: ProviderRule = function* (provider, { place }) {
  if (provider.type === 'email' && typeof provider.sendVerificationRequest !== 'function')
    yield `${place} has no sendVerificationRequest function. Set it: it sends the magic link.`
}

function forEach(rule: ProviderRule): Rule {
  return ({ providers, placeOf, http }: Draft) =>
    providers.flatMap((provider) => [...rule(provider, { place: placeOf(provider), http })])
}

export const providerRules: readonly RuleRow[] = [
  [InvalidConfiguration, forEach(idProblem)],
  [InvalidEndpoints, forEach(endpointProblems)],
  [InvalidConfiguration, forEach(clientProblems)],
  [InvalidConfiguration, redirectProxyProblems],
  [MissingAuthorize, forEach(authorizeProblem)],
  [InvalidConfiguration, forEach(sendProblem)],
]
