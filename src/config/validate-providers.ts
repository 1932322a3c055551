import { AuthError } from '../errors/base.ts'
import { InvalidConfiguration, InvalidEndpoints, MissingAuthorize } from '../errors/classes.ts'
import { isAllowed, isOriginPattern, isProxyUrl } from '../flows/oauth/endpoint-url.ts'
import type { HttpPolicy } from '../flows/oauth/endpoint-url.ts'
import { isProviderId } from '../http/path.ts'
import { insecureHttp } from '../symbols.ts'
import { providerNames } from '../variables.ts'
import { describeValue, mismatch } from './describe-value.ts'
import type { Endpoint, OAuthConfig, ProviderConfig } from './provider.ts'
import type { Draft } from './validate.ts'

type Problems = Iterable<AuthError>

export function isOAuth(provider: ProviderConfig): provider is OAuthConfig {
  return provider.type === 'oauth' || provider.type === 'oidc'
}

function urlOf(endpoint: string | Endpoint | undefined): string | undefined {
  return typeof endpoint === 'string' ? endpoint : endpoint?.url
}

/** The endpoints that a provider without metadata requires (RFC 8414), and an issuer for ID tokens. */
function* endpointProblems(provider: OAuthConfig, place: string, http: HttpPolicy): Problems {
  const { issuer, wellKnown, userinfo, jwks_endpoint } = provider
  const endpoints = {
    authorization: urlOf(provider.authorization),
    token: urlOf(provider.token),
    userinfo: urlOf(userinfo),
  }
  const policy = provider[insecureHttp] ? 'any' : http
  const urls = Object.entries({ issuer, wellKnown, ...endpoints, jwks_endpoint })
  for (const [name, url] of urls) {
    if (!url || (URL.canParse(url) && isAllowed(new URL(url), policy))) continue
    const [expected, fix] = URL.canParse(url)
      ? ['https', 'Set [insecureHttp]: true on the provider to allow http.']
      : ['a URL', 'Write it in full: https://idp.example.com/path.']
    yield new InvalidEndpoints(`${mismatch(`${place}: ${name}`, expected, url)} ${fix}`)
  }
  if (issuer || wellKnown) return
  if (provider.type === 'oidc')
    yield new InvalidEndpoints(
      `${place}: issuer is missing, and ID tokens cannot be validated without it. Set issuer or ${providerNames(provider.id, 'issuer')[0]}.`,
    )
  const hasRequest = typeof userinfo === 'object' && userinfo.request !== undefined
  const missing = Object.entries(endpoints).flatMap(([name, url]) =>
    url || (name === 'userinfo' && hasRequest) ? [] : [name],
  )
  if (provider.type === 'oauth' && missing.length > 0)
    yield new InvalidEndpoints(
      `${place}: no endpoint for ${missing.join(', ')}, and no issuer to discover it from. Set the endpoints, or issuer.`,
    )
}

/** Client authentication methods that need a secret (OpenID Connect Core §9). */
const WITH_SECRET = /^client_secret_(?:basic|post|jwt)$/

export function needsSecret({ client }: Pick<OAuthConfig, 'client'>): boolean {
  return WITH_SECRET.test(client?.token_endpoint_auth_method ?? 'client_secret_basic')
}

/** A provider without a client id is not in use, so it is not checked. */
function* clientProblems(provider: OAuthConfig): Iterable<string> {
  const { id, clientId, clientSecret, client, token } = provider
  if (!clientId) return
  if (needsSecret(provider) && !clientSecret)
    yield `clientSecret is missing. Set it or ${providerNames(id, 'clientSecret')[0]}; for a client without a secret, set client.token_endpoint_auth_method to "none".`
  const hasKey = typeof token === 'object' && token.clientPrivateKey !== undefined
  if (client?.token_endpoint_auth_method === 'private_key_jwt' && !hasKey)
    yield 'token.clientPrivateKey is missing. Set it to the key that signs client assertions, because client.token_endpoint_auth_method is "private_key_jwt".'
}

function* proxyProblem(place: string, url: string | undefined, http: HttpPolicy): Problems {
  if (url && !isProxyUrl(url, http))
    yield new InvalidConfiguration(
      `${mismatch(`${place}redirectProxyUrl`, 'an https URL of the routes of a deployment', url)} Write it like https://auth.example.com/auth.`,
    )
}

function* problemsOf(provider: ProviderConfig, index: number, http: HttpPolicy): Problems {
  const place = `providers[${index}] (${provider.id})`
  if (!isProviderId(provider.id))
    yield new InvalidConfiguration(
      `providers[${index}] has an id that cannot be part of a path (got ${describeValue(provider.id)}). Use letters, digits, "-", "_", "." and "~".`,
    )
  if (isOAuth(provider)) {
    yield* endpointProblems(provider, place, http)
    for (const problem of clientProblems(provider))
      yield new InvalidConfiguration(`${place}: ${problem}`)
    yield* proxyProblem(`${place}: `, provider.redirectProxyUrl, http)
  } else if (provider.type === 'email') {
    if (typeof provider.sendVerificationRequest !== 'function')
      yield new InvalidConfiguration(
        `${place} has no sendVerificationRequest function. Set it: it sends the magic link.`,
      )
  } else if (typeof provider.authorize !== 'function')
    yield new MissingAuthorize(
      `${place} has no authorize function. Set authorize: it returns the user, or null.`,
    )
}

export function* providerProblems({ config, entries, http }: Draft): Problems {
  for (const [index, entry] of entries.entries())
    if (entry instanceof AuthError) yield entry
    else yield* problemsOf(entry, index, http)
  yield* proxyProblem('', config.redirectProxyUrl, http)
  for (const [index, pattern] of (config.redirectProxyAllowedOrigins ?? []).entries())
    if (!isOriginPattern(pattern, http))
      yield new InvalidConfiguration(
        `${mismatch(`redirectProxyAllowedOrigins[${index}]`, 'an https origin', pattern)} Write it like https://preview.example.com or https://*.example.com.`,
      )
}
