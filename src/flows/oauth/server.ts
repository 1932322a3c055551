import type { AuthorizationServer, JWKS } from 'oauth4webapi'
import { InvalidEndpoints } from '../../errors/configuration.ts'
import { readDocument } from './document.ts'
import { endpointUrl } from './http-policy.ts'
import type { ConfiguredProvider, OAuthProvider } from './provider.ts'

/** The endpoints that the flow uses, by their names in the metadata (RFC 8414 §2). */
export type EndpointName =
  'authorization_endpoint' | 'token_endpoint' | 'userinfo_endpoint' | 'jwks_uri'

const ENDPOINTS: readonly EndpointName[] = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
]

/** Placeholder for an unknown issuer; the host is reserved and cannot exist (RFC 6761 §6.4). */
export const NO_ISSUER = 'https://issuer.invalid'

/** Limit against denial of service by a large JWK Set. */
const MAX_KEYS = 50

function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

function isMetadata(json: unknown): json is AuthorizationServer {
  return isObject(json) && typeof json['issuer'] === 'string'
}

function acceptMetadata(provider: OAuthProvider, json: unknown): AuthorizationServer {
  const { issuer, issuerBelow, http } = provider
  if (!isMetadata(json)) throw new Error('The metadata of the provider has no issuer.')
  // The document must name the expected issuer (RFC 8414 §3.3).
  const isBelow = json.issuer === issuerBelow
  if (issuer !== undefined && !isBelow && !provider.isIssuer(json.issuer, { issuer }))
    throw new InvalidEndpoints(
      `The issuer of provider ${provider.id} is "${issuer}" in the configuration and "${json.issuer}" in its metadata. Set issuer to exactly the value in the metadata.`,
    )
  for (const name of ENDPOINTS) {
    const url = json[name] ?? undefined
    if (url !== undefined) endpointUrl(url, http, `The ${name} of provider ${provider.id}`)
  }
  return json
}

export async function discover(provider: OAuthProvider): Promise<AuthorizationServer | null> {
  const { metadataUrl: url } = provider
  if (!url) return null
  const { fetcher, http, deadline } = provider
  const accept = (json: unknown) => acceptMetadata(provider, json)
  return readDocument({ url, fetcher, http, deadline, accept }, 'cached')
}

export function expectedIssuer(
  { issuer, issuerBelow }: OAuthProvider,
  server: AuthorizationServer,
): string {
  return server.issuer === issuerBelow ? issuerBelow : (issuer ?? server.issuer)
}

export function configured(
  provider: Pick<ConfiguredProvider, 'endpoints'>,
  name: EndpointName,
): string | undefined {
  const { authorization, token, userinfo, jwks } = provider.endpoints
  const urls = {
    authorization_endpoint: authorization.url,
    token_endpoint: token.url,
    userinfo_endpoint: userinfo.url,
    jwks_uri: jwks,
  }
  return urls[name]
}

/** Returns a configured or discovered endpoint. Throws InvalidEndpoints if it is missing or not allowed. */
export async function endpointOf(provider: OAuthProvider, name: EndpointName): Promise<URL> {
  const url = configured(provider, name) ?? (await discover(provider))?.[name]
  if (typeof url !== 'string') throw new InvalidEndpoints(`Provider ${provider.id} has no ${name}.`)
  return endpointUrl(url, provider.http, `The ${name} of provider ${provider.id}`)
}

/** Metadata that is fixed when a sign-in starts, as a defence against mix-up attacks (RFC 9700 §4.4.2). */
export interface ServerFacts {
  readonly tokenEndpoint?: string
  /** Only if it differs from the configured issuer. */
  readonly issuer?: string
  /** Whether the response must contain `iss` (RFC 9207 §3). */
  readonly namesIssuer?: true
}

export async function serverFacts(provider: OAuthProvider): Promise<ServerFacts> {
  const isTokenKnown = configured(provider, 'token_endpoint') !== undefined
  const isKnown = isTokenKnown && configured(provider, 'authorization_endpoint') !== undefined
  const metadata = isKnown && provider.issuer !== undefined ? null : await discover(provider)
  if (!metadata) return {}
  const { issuer, authorization_response_iss_parameter_supported: namesIssuer } = metadata
  return {
    ...(!isTokenKnown && { tokenEndpoint: (await endpointOf(provider, 'token_endpoint')).href }),
    ...(issuer !== provider.issuer && { issuer }),
    ...(namesIssuer === true && { namesIssuer }),
  }
}

function acceptKeys(json: unknown): JWKS {
  const keys: unknown = isObject(json) ? json['keys'] : undefined
  if (!Array.isArray(keys) || keys.length === 0)
    throw new Error('The JWK Set of the provider has no keys.')
  return { keys: keys.filter(isObject).slice(0, MAX_KEYS) }
}

export async function keySet(provider: OAuthProvider, mode: 'cached' | 'reload'): Promise<JWKS> {
  const url = (await endpointOf(provider, 'jwks_uri')).href
  const { fetcher, http, deadline } = provider
  return readDocument({ url, fetcher, http, deadline, accept: acceptKeys }, mode)
}
