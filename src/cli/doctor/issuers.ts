/** Whether the metadata of providers can be read, and says what a sign-in needs (RFC 8414, RFC 7636). */
import type { AuthorizationServer } from 'oauth4webapi'
import { LIMITS } from '../../deadline.ts'
import { AuthError } from '../../errors.ts'
import { withoutLink } from '../../errors/base.ts'
import { InvalidEndpoints } from '../../errors/configuration.ts'
import { forRequest } from '../../flows/oauth/provider.ts'
import type { ConfiguredProvider, Endpoints } from '../../flows/oauth/provider.ts'
import { discover } from '../../flows/oauth/server.ts'
import { createSecrets } from '../../log/secrets.ts'
import type { Clock } from './clock.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import { oauthProviders } from './providers.ts'
import type { Subject } from './subject.ts'

/** What keeps an answer from coming, as far as this machine can tell. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof AuthError) return error.type === 'TemporarilyUnavailable'
  return error instanceof TypeError
}

function examineMetadata(provider: ConfiguredProvider, metadata: AuthorizationServer): Finding[] {
  const about = topic(`issuer ${provider.id}`)
  const challenges = metadata.code_challenge_methods_supported
  const methods = metadata.token_endpoint_auth_methods_supported
  const method = provider.client.token_endpoint_auth_method ?? 'client_secret_basic'
  const findings = []
  if (provider.checks.has('pkce') && challenges && !challenges.includes('S256'))
    findings.push(
      about.warning(
        `${metadata.issuer} says that it does not support PKCE with S256.`,
        `If sign-ins fail there, write checks: ['state'${provider.type === 'oidc' ? ", 'nonce'" : ''}] on the provider.`,
      ),
    )
  if (methods && !methods.includes(method))
    findings.push(
      about.warning(
        `${metadata.issuer} says that clients prove themselves with ${methods.join(', ')}, and ${provider.id} uses ${method}.`,
        `If sign-ins fail there, write client: { token_endpoint_auth_method: '${methods[0] ?? ''}' } on the provider.`,
      ),
    )
  const pkce = challenges ? 'PKCE with S256' : 'it does not say whether PKCE is supported'
  return findings.length > 0
    ? findings
    : [about.ok(`${metadata.issuer} answers; its endpoints are on https; ${pkce}.`)]
}

/** What failed, and what to write. Endpoints on plain http are said where the address is configured, too. */
function explain(provider: ConfiguredProvider, error: unknown, { quote }: Subject): Finding {
  const about = topic(`issuer ${provider.id}`)
  const url = provider.issuer ?? provider.metadataUrl ?? ''
  const what = withoutLink(quote(error))
  if (isUnreachable(error))
    return about.warning(
      `${url} was not reached, so it was not looked at: ${what}`,
      `Try again where the network lets it through. It was waited for ${LIMITS.provider / 1000} seconds.`,
    )
  const [, first = what, second] = /^(.*?\.) ((?:Set|On a machine) .*)$/.exec(what) ?? []
  if (error instanceof InvalidEndpoints)
    return about.error(first, second ?? 'Correct issuer or wellKnown of the provider.')
  return about.error(
    `${url} has no metadata that can be used: ${what}`,
    `Write the issuer as the provider spells it, in issuer or wellKnown of the provider.`,
  )
}

/** Whether a sign-in asks the provider where its endpoints are, or who it is. */
function usesMetadata(provider: ConfiguredProvider): boolean {
  const { type, claimsFrom, endpoints } = provider
  const asksForClaims = type === 'oauth' || claimsFrom === 'userinfo'
  const needed: readonly (keyof Endpoints)[] = [
    'authorization_endpoint',
    'token_endpoint',
    ...(type === 'oidc' ? (['jwks_uri'] as const) : []),
    ...(asksForClaims && !endpoints.userinfo_endpoint.request
      ? (['userinfo_endpoint'] as const)
      : []),
  ]
  return (
    (provider.issuer === undefined && provider.metadataUrl !== undefined) ||
    needed.some((name) => endpoints[name].url === undefined)
  )
}

async function examineIssuer(
  provider: ConfiguredProvider,
  subject: Subject,
  clock: Clock,
): Promise<Finding[]> {
  const fetcher = clock.watch(provider.fetcher)
  const deadline = Date.now() + LIMITS.provider
  try {
    const metadata = await discover(
      forRequest({ ...provider, fetcher }, { deadline, secrets: createSecrets() }),
    )
    if (metadata) return examineMetadata(provider, metadata)
    return []
  } catch (error) {
    return [explain(provider, error, subject)]
  }
}

/** Asks every issuer that a sign-in would ask, all at the same time. */
export async function examineIssuers(subject: Subject, clock: Clock): Promise<readonly Finding[]> {
  const all = oauthProviders(subject)
    .filter(usesMetadata)
    .map((provider) => examineIssuer(provider, subject, clock))
  return (await Promise.all(all)).flat()
}
