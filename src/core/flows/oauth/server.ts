/** Metadata and keys of providers, and their cache. */
import type { AuthorizationServer, JWKS } from 'oauth4webapi'
import { setBounded } from '../../async/cache.ts'
import type { Transaction } from '../../checks/transaction.ts'
import type { Endpoint } from '../../config/provider.ts'
import { InvalidEndpoints } from '../../errors/classes.ts'
import { isRecord } from '../../is-record.ts'
import { TIMEOUTS, unavailable, withTimeout } from '../../async/timeout.ts'
import type { Fetch } from '../../types.ts'
import { endpointUrl } from './endpoint-url.ts'
import { guardedFetch } from './fetch.ts'
import type { Endpoints, OAuthProvider } from './provider.ts'

/** Placeholder for an unknown issuer; the host is reserved and cannot exist (RFC 6761 §6.4). */
export const NO_ISSUER = 'https://issuer.invalid'

/** Limit against denial of service by a large JWK Set. */
const MAX_KEYS = 50

/** Milliseconds for which a document is used without a request. */
const FRESH_TIME = 10 * 60_000
/** Milliseconds for which a document is used while the provider is down. */
const USABLE_TIME = 24 * 60 * 60_000
/** Milliseconds between requests to a provider that is down, while a cached copy exists. */
const MIN_INTERVAL = 30_000
const MAX_DOCUMENTS = 500

interface Entry {
  value?: unknown
  readAt: number
  nextRequestAt: number
  pending?: Promise<unknown> | undefined
}

/** Keyed by `fetch`, so that configurations created for each request share the cache. */
const documents = new WeakMap<Fetch, Map<string, Entry>>()

function entryFor(fetcher: Fetch, url: string): Entry {
  const entries = documents.get(fetcher) ?? new Map<string, Entry>()
  documents.set(fetcher, entries)
  return (
    entries.get(url) ?? setBounded(entries, [url, { readAt: 0, nextRequestAt: 0 }], MAX_DOCUMENTS)
  )
}

interface ProviderDocument<T> {
  readonly url: string
  /** Validates the JSON; throws if it is invalid. */
  readonly accept: (json: unknown) => T
  /** `reload` ignores freshness, but sends at most one request every 30 seconds. @default 'cached' */
  readonly mode?: Mode
}

/** The request is shared by all callers, so it has its own time limit instead of the deadline of one caller. */
async function fetchDocument({ fetcher, http }: OAuthProvider, url: string): Promise<unknown> {
  const headers = { accept: 'application/json' }
  const response = await guardedFetch(fetcher, { http })(url, { headers })
  if (response.status !== 200) throw new Error(`${url} responded with status ${response.status}.`)
  return response.json().catch(() => {
    // The parse error would quote the body.
    throw new Error(`${url} did not return JSON.`)
  })
}

/** Reads a document from the cache while it is fresh, then from the provider, with a stale copy as fallback. */
async function readDocument<T>(provider: OAuthProvider, document: ProviderDocument<T>): Promise<T> {
  const { url, accept, mode = 'cached' } = document
  const { deadline, fetcher } = provider
  const entry = entryFor(fetcher, url)
  const now = Date.now()
  const isUsable = entry.value !== undefined && now - entry.readAt < USABLE_TIME
  const isFresh = now - entry.readAt < FRESH_TIME && mode === 'cached'
  if (isUsable && (isFresh || now < entry.nextRequestAt)) return accept(entry.value)
  entry.pending ??= fetchDocument(provider, url).finally(() => {
    entry.pending = undefined
  })
  try {
    const limits = { what: url, timeout: TIMEOUTS.provider, deadline, timeoutError: unavailable }
    const json = await withTimeout(entry.pending, limits)
    // Each caller validates it, because configurations with different issuers share the request.
    const accepted = accept(json)
    Object.assign(entry, { value: json, readAt: Date.now() })
    return accepted
  } catch (error) {
    if (!isUsable) throw error
  } finally {
    if (mode === 'reload' || entry.readAt < now) entry.nextRequestAt = Date.now() + MIN_INTERVAL
  }
  return accept(entry.value)
}

function isMetadata(json: unknown): json is AuthorizationServer {
  return isRecord(json) && typeof json['issuer'] === 'string'
}

function acceptMetadata(provider: OAuthProvider, json: unknown): AuthorizationServer {
  const { id, issuer, issuerBelow, http, endpoints } = provider
  if (!isMetadata(json)) throw new Error('The metadata of the provider has no issuer.')
  // The document must name the expected issuer (RFC 8414 §3.3).
  const isBelow = json.issuer === issuerBelow
  if (issuer !== undefined && !isBelow && !provider.isIssuer(json.issuer, { issuer }))
    throw new InvalidEndpoints(
      `The issuer of provider ${id} is "${issuer}" in the configuration and "${json.issuer}" in its metadata. Set issuer to exactly the value in the metadata.`,
    )
  for (const name of Object.keys(endpoints)) {
    const url = json[name] ?? null
    if (url !== null) endpointUrl(serializeParameter(url), http, `The ${name} of provider ${id}`)
  }
  return json
}

/** Reads the metadata of the provider (RFC 8414); `null` if it has no issuer and no `wellKnown`. */
export async function discover(provider: OAuthProvider): Promise<AuthorizationServer | null> {
  const { metadataUrl: url } = provider
  if (!url) return null
  return readDocument(provider, { url, accept: (json) => acceptMetadata(provider, json) })
}

function acceptKeys(json: unknown): JWKS {
  const keys: unknown = isRecord(json) ? json['keys'] : undefined
  if (!Array.isArray(keys) || keys.length === 0)
    throw new Error('The JWK Set of the provider has no keys.')
  return { keys: keys.filter(isRecord).slice(0, MAX_KEYS) }
}

type Mode = 'cached' | 'reload'

export async function readKeySet(provider: OAuthProvider, mode: Mode): Promise<JWKS> {
  const url = (await findEndpoint(provider, 'jwks_uri')).href
  return readDocument(provider, { url, accept: acceptKeys, mode })
}

/** Serializes a query value: lists with commas, objects as JSON (OpenID Connect Core §5.5). */
function serializeParameter(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(',') : JSON.stringify(value)
}

/** The configured parameters of a request; `undefined` and `null` are not sent. */
export function readParameters({ params = {} }: Endpoint): URLSearchParams {
  const sent = Object.entries(params).filter(([, value]) => value !== undefined && value !== null)
  return new URLSearchParams(sent.map(([name, value]) => [name, serializeParameter(value)]))
}

/**
 * Returns a configured or discovered endpoint, with the configured parameters. Those of the token endpoint are part of
 * the body instead (RFC 6749 §4.1.3). @throws InvalidEndpoints
 */
export async function findEndpoint(provider: OAuthProvider, name: keyof Endpoints): Promise<URL> {
  const { id, http, endpoints } = provider
  const stated = endpoints[name].url ?? (await discover(provider))?.[name]
  if (typeof stated !== 'string') throw new InvalidEndpoints(`Provider ${id} has no ${name}.`)
  const url = endpointUrl(stated, http, `The ${name} of provider ${id}`)
  if (name === 'token_endpoint') return url
  for (const [parameter, value] of readParameters(endpoints[name]))
    url.searchParams.set(parameter, value)
  return url
}

/** Returns metadata to fix when a sign-in starts, as a defence against mix-up attacks (RFC 9700 §4.4.2). */
export async function serverFacts(
  provider: OAuthProvider,
): Promise<Pick<Transaction, 'tokenEndpoint' | 'issuer' | 'namesIssuer'>> {
  const { authorization_endpoint, token_endpoint } = provider.endpoints
  const isConfigured = authorization_endpoint.url !== undefined && token_endpoint.url !== undefined
  const metadata = isConfigured && provider.issuer !== undefined ? null : await discover(provider)
  if (!metadata) return {}
  const { issuer, authorization_response_iss_parameter_supported: namesIssuer } = metadata
  return {
    ...(token_endpoint.url === undefined && {
      tokenEndpoint: (await findEndpoint(provider, 'token_endpoint')).href,
    }),
    ...(issuer !== provider.issuer && { issuer }),
    ...(namesIssuer === true && { namesIssuer }),
  }
}

/** Returns the validated issuer of an ID token or authorization response; the expected one if it states none. */
export function validateIssuer(
  provider: OAuthProvider,
  server: AuthorizationServer,
  stated: { readonly iss: unknown; readonly claims?: Readonly<Record<string, unknown>> },
): string {
  const isBelow = server.issuer === provider.issuerBelow
  const issuer = isBelow ? server.issuer : (provider.issuer ?? server.issuer)
  const { iss, ...context } = stated
  if (typeof iss !== 'string') return issuer
  provider.secrets.addKeysOf(context.claims)
  try {
    if (provider.isIssuer(iss, { issuer, ...context })) return iss
  } catch (error) {
    throw provider.secrets.redact(error) ?? error
  }
  const source = context.claims ? 'ID token' : 'authorization response'
  throw new Error(`The iss of the ${source} is not the issuer of provider ${provider.id}.`)
}
