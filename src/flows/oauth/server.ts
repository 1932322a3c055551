/** What is known of the authorization server: configured endpoints, and for the rest its metadata. */
import type { AuthorizationServer, JWKS } from 'oauth4webapi'
import { InvalidEndpoints } from '../../errors/configuration.ts'
import { readDocument } from './document.ts'
import { endpointUrl } from './http-policy.ts'
import type { ConfiguredProvider, OAuthProvider } from './provider.ts'

/** The endpoints the flow uses, by their names in the metadata (RFC 8414 §2). */
export type EndpointName =
  'authorization_endpoint' | 'token_endpoint' | 'userinfo_endpoint' | 'jwks_uri'

const ENDPOINTS: readonly EndpointName[] = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
]

/** Stands for an issuer where there is none to compare with; no host has this name (RFC 6761 §6.4). */
export const NO_ISSUER = 'https://issuer.invalid'

/** More keys than any provider has; a longer list is there to keep us busy. */
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
  // A document that speaks for somebody else is not used (RFC 8414 §3.3).
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

/** The metadata of the server, read when it is first needed; `null` when there is none to read. */
export async function discover(provider: OAuthProvider): Promise<AuthorizationServer | null> {
  const { metadataUrl: url } = provider
  if (!url) return null
  const { fetcher, http, deadline } = provider
  const accept = (json: unknown) => acceptMetadata(provider, json)
  return readDocument({ url, fetcher, http, deadline, accept }, 'cached')
}

/** The issuer that a response or a token has to name: the configured one, or the one below it that the metadata names. */
export function expectedIssuer(
  { issuer, issuerBelow }: OAuthProvider,
  server: AuthorizationServer,
): string {
  return server.issuer === issuerBelow ? issuerBelow : (issuer ?? server.issuer)
}

/** An endpoint as it is configured, with the parameters it always has. */
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

/**
 * Where an endpoint is.
 *
 * @throws InvalidEndpoints when neither the configuration nor the metadata says, or it must not be used
 */
export async function endpointOf(provider: OAuthProvider, name: EndpointName): Promise<URL> {
  const url = configured(provider, name) ?? (await discover(provider))?.[name]
  if (typeof url !== 'string') throw new InvalidEndpoints(`Provider ${provider.id} has no ${name}.`)
  return endpointUrl(url, provider.http, `The ${name} of provider ${provider.id}`)
}

/** What the metadata says and the answer is measured by: fixed when a sign-in starts (RFC 9700 §4.4.2). */
export interface ServerFacts {
  /** Where the code may be sent. */
  readonly tokenEndpoint?: string
  /** Who may answer, where that is not configured. */
  readonly issuer?: string
  /** Whether the answer has to name the issuer (RFC 9207 §3). */
  readonly namesIssuer?: true
}

/** What has to be found out before a sign-in starts; nothing, where the configuration says it all. */
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

/** The keys the provider signs with (RFC 7517 §5). */
export async function keySet(provider: OAuthProvider, mode: 'cached' | 'reload'): Promise<JWKS> {
  const url = (await endpointOf(provider, 'jwks_uri')).href
  const { fetcher, http, deadline } = provider
  return readDocument({ url, fetcher, http, deadline, accept: acceptKeys }, mode)
}
