/** The metadata of issuers (RFC 8414). */
import type { AuthorizationServer } from 'oauth4webapi'
import { LIMITS } from '../../deadline.ts'
import { AuthError } from '../../errors.ts'
import { InvalidEndpoints } from '../../errors/configuration.ts'
import { forRequest } from '../../flows/oauth/provider.ts'
import type { ConfiguredProvider } from '../../flows/oauth/provider.ts'
import { discover } from '../../flows/oauth/server.ts'
import { createSecrets } from '../../hooks.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import { adviceOf } from './problems.ts'
import { oauthProviders } from './providers.ts'
import type { Subject } from './subject.ts'

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
] as const

function* checkMetadata(
  { id, type, checks, client }: ConfiguredProvider,
  metadata: AuthorizationServer,
): Generator<Finding> {
  const { ok, warning } = topic(`issuer ${id}`)
  const { issuer, code_challenge_methods_supported: challenges } = metadata
  const methods = metadata.token_endpoint_auth_methods_supported
  const method = client.token_endpoint_auth_method ?? 'client_secret_basic'
  const lacksPkce = checks.has('pkce') && challenges && !challenges.includes('S256')
  const lacksMethod = methods && !methods.includes(method)
  if (lacksPkce)
    yield warning`${issuer} does not support PKCE with S256. → If sign-ins fail, set checks: ['state'${type === 'oidc' ? ", 'nonce'" : ''}] on the provider.`
  if (lacksMethod)
    yield warning`${issuer} supports client authentication with ${methods.join(', ')}, but ${id} uses ${method}. → If sign-ins fail, set client: { token_endpoint_auth_method: '${methods[0] ?? ''}' } on the provider.`
  const plain = ENDPOINTS.filter((name) => metadata[name]?.startsWith('http:'))
  const scheme = plain.length === 0 ? 'endpoints on https' : `plain http: ${plain.join(', ')}`
  if (!lacksPkce && !lacksMethod)
    yield ok`metadata of ${issuer} is valid; ${scheme}; PKCE with S256 ${challenges ? 'supported' : 'not announced'}.`
}

function explain(provider: ConfiguredProvider, cause: unknown, { quote }: Subject): Finding {
  const { warning, error } = topic(`issuer ${provider.id}`)
  const url = provider.issuer ?? provider.metadataUrl ?? ''
  const { what, write } = adviceOf({ message: quote(cause) })
  const isUnreachable =
    cause instanceof AuthError
      ? cause.type === 'TemporarilyUnavailable'
      : cause instanceof TypeError
  if (isUnreachable)
    return warning`${url} is unreachable and was not checked: ${what} → Run the command in a network that reaches it. Timeout: ${LIMITS.provider / 1000} seconds.`
  if (cause instanceof InvalidEndpoints)
    return error`${what} → ${write || 'Correct issuer or wellKnown of the provider.'}`
  return error`${url} has no valid metadata: ${what} → Set issuer or wellKnown exactly as the provider documents it.`
}

/** Whether a sign-in reads the metadata: for endpoints, keys or the issuer. */
function usesMetadata(provider: ConfiguredProvider): boolean {
  const { type, claimsFrom, endpoints, issuer, metadataUrl } = provider
  const asksUserinfo =
    (type === 'oauth' || claimsFrom === 'userinfo') && !endpoints.userinfo_endpoint.request
  const needed = ENDPOINTS.filter(
    (name) =>
      (name !== 'jwks_uri' || type === 'oidc') && (name !== 'userinfo_endpoint' || asksUserinfo),
  )
  const isIssuerUnknown = issuer === undefined && metadataUrl !== undefined
  return isIssuerUnknown || needed.some((name) => endpoints[name].url === undefined)
}

async function checkIssuer(provider: ConfiguredProvider, subject: Subject): Promise<Finding[]> {
  const fetcher = subject.clock.watch(provider.fetcher)
  const deadline = Date.now() + LIMITS.provider
  try {
    const metadata = await discover(
      forRequest({ ...provider, fetcher }, { deadline, secrets: createSecrets() }),
    )
    return metadata ? [...checkMetadata(provider, metadata)] : []
  } catch (cause) {
    return [explain(provider, cause, subject)]
  }
}

export async function checkIssuers(subject: Subject): Promise<readonly Finding[]> {
  const used = oauthProviders(subject).filter(usesMetadata)
  return (await Promise.all(used.map((provider) => checkIssuer(provider, subject)))).flat()
}
