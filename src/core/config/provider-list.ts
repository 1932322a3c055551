import { AuthError, withoutLink } from '../errors/base.ts'
import { InvalidConfiguration, InvalidEndpoints, MissingAuthorize } from '../errors/classes.ts'
import { HTTPS_FIRST, isAllowed, isOriginPattern, isProxyUrl } from '../flows/oauth/endpoint-url.ts'
import type { HttpPolicy } from '../flows/oauth/endpoint-url.ts'
import { isProviderId } from '../http/path.ts'
import { isRecord } from '../is-record.ts'
import { insecureHttp } from '../symbols.ts'
import { providerNames } from './variables.ts'
import { describeKind, describeValue, mismatch } from './describe-value.ts'
import type { EmailConfig } from './email.ts'
import { passkeySupport } from './passkey-support.ts'
import { findPasswordSupport } from './password-support.ts'
import type { Endpoint, OAuthConfig, ProviderConfig } from './provider.ts'
import { assuranceProblems } from './assurance-problems.ts'
import type { AuthConfig } from './types.ts'

type Problems = Iterable<AuthError>

type Data = Record<string | symbol, unknown>

/** Plain objects only: instances such as keys, dates and URLs are not merged. */
function isData(value: unknown): value is Data {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function asEndpoint(value: unknown): unknown {
  return typeof value === 'string' ? { url: value } : value
}

/** Deep-merges into a copy. `undefined` keeps the default; arrays and instances replace it. */
export function merge(defaults: object, overrides: object): Data {
  const merged: Data = { ...defaults }
  for (const key of Reflect.ownKeys(overrides)) {
    if (key === '__proto__') continue
    const value = (overrides as Data)[key]
    if (value === undefined) continue
    const current = isData(value) ? asEndpoint(merged[key]) : merged[key]
    merged[key] = isData(current) && isData(value) ? merge(current, value) : value
  }
  return merged
}

const TYPES: ReadonlySet<unknown> = new Set(['oauth', 'oidc', 'email', 'credentials', 'webauthn'])

function isProviderConfig(value: object): value is ProviderConfig {
  return 'id' in value && typeof value.id === 'string' && 'type' in value && TYPES.has(value.type)
}

const URLS = [
  'issuer',
  'wellKnown',
  'authorization',
  'token',
  'userinfo',
  'jwks_endpoint',
  'refresh',
  'revocation',
  'endSession',
]

/** Fills `{clientId}` and `{issuer}` in URLs and parameters, because the environment may contain their values. */
function fillTemplates(template: unknown, provider: Data): unknown {
  if (isData(template)) {
    const members = Object.entries(template).map(([name, value]) => [
      name,
      fillTemplates(value, provider),
    ])
    return { ...template, ...Object.fromEntries(members) }
  }
  if (typeof template !== 'string') return template
  return template.replace(/\{(issuer|clientId)\}/, (placeholder, name) => {
    const value = provider[String(name)]
    return typeof value === 'string' ? value.replace(/\/+$/, '') : placeholder
  })
}

function withUrls(provider: Data): Data {
  const filled: Data = { ...provider }
  for (const name of URLS) if (name in filled) filled[name] = fillTemplates(filled[name], filled)
  return filled
}

/** Precedence: application, environment, provider module. An object without `options` is all from the application. */
function withOptions(
  { options, ...rest }: Record<string, unknown>,
  environment: object,
): Record<string | symbol, unknown> {
  const merged = isRecord(options)
    ? merge(merge(rest, environment), options)
    : merge(environment, rest)
  return { ...withUrls(merged), name: merged['name'] || merged['id'] }
}

function describeNonObject(entry: unknown, provider: unknown): string {
  const kind = describeKind(provider)
  if (typeof entry === 'function') return ` is a factory that returned ${kind}, not a provider.`
  const hint = entry === undefined ? ' Did a default import resolve to a module?' : ''
  return ` is not a provider object or factory (got ${kind}).${hint}`
}

function describeInvalid({ id, type, default: exported }: Record<string, unknown>): string {
  if (typeof exported === 'function') return ' is a module, not a provider. Use its default export.'
  if (typeof id !== 'string') return ' has no id. Set id to a string.'
  return ` (${id}) has an unknown type (got ${describeValue(type)}). Use oauth, oidc, email, credentials or webauthn.`
}

function parseEntry(entry: unknown, place: string, environment: object = {}) {
  const invalid = (problem: string, cause?: Error) =>
    new InvalidConfiguration(place + problem, { cause })
  let provider = entry
  try {
    if (typeof entry === 'function') provider = (entry as (options: object) => unknown)(environment)
  } catch (error) {
    if (error instanceof AuthError) return invalid(`: ${withoutLink(error.message)}`)
    if (error instanceof Error) return invalid(` threw ${error.name}: ${error.message}.`, error)
    return invalid(` threw ${describeKind(error)}.`)
  }
  if (!isRecord(provider)) return invalid(describeNonObject(entry, provider))
  const merged = withOptions(provider, environment)
  return isProviderConfig(merged) ? merged : invalid(describeInvalid(merged))
}

/** Merges the options of the application into a copy of the provider; `null` if validation rejects the entry. */
export function parseProvider(entry: unknown, environment: object): ProviderConfig | null {
  const provider = parseEntry(entry, '', environment)
  return provider instanceof AuthError ? null : provider
}

export interface ParsedProviders {
  readonly providers: readonly ProviderConfig[]
  /** The providers, with an error in place of each invalid entry. */
  readonly entries: readonly (ProviderConfig | AuthError)[]
}

/** A configuration that is being validated. */
export interface Draft extends ParsedProviders {
  readonly config: AuthConfig
  /** Plain http that is allowed for providers without `insecureHttp`. */
  readonly http: HttpPolicy
}

export function parseProviders(list: unknown): ParsedProviders {
  const entries = Array.isArray(list)
    ? list.map((entry: unknown, index) => parseEntry(entry, `providers[${index}]`))
    : [
        new InvalidConfiguration(
          `providers is not an array (got ${describeKind(list)}). Write providers: [GitHub].`,
        ),
      ]
  return { entries, providers: entries.flatMap((each) => (each instanceof AuthError ? [] : each)) }
}

export function isOAuth(provider: ProviderConfig): provider is OAuthConfig {
  return provider.type === 'oauth' || provider.type === 'oidc'
}

function readUrl(endpoint: string | Endpoint | undefined): string | undefined {
  return typeof endpoint === 'string' ? endpoint : endpoint?.url
}

/** What a URL must be and how to change it; `null` if it is valid. */
function urlProblem(name: string, url: string, http: HttpPolicy): [string, string] | null {
  if (!URL.canParse(url)) return ['a URL', 'Write it in full: https://idp.example.com/path.']
  if (!isAllowed(new URL(url), http)) return ['https', HTTPS_FIRST]
  if (name !== 'issuer' || !/[?#]/.test(url)) return null
  return ['a URL without query and fragment', 'Remove what follows ? or # (RFC 8414 §2).']
}

/** The endpoints that a provider without metadata requires (RFC 8414), and an issuer for ID tokens. */
function* endpointProblems(provider: OAuthConfig, place: string, http: HttpPolicy): Problems {
  const { issuer, wellKnown, userinfo, jwks_endpoint } = provider
  const endpoints = {
    authorization: readUrl(provider.authorization),
    token: readUrl(provider.token),
    userinfo: readUrl(userinfo),
  }
  const policy = provider[insecureHttp] ? 'any' : http
  const urls = Object.entries({
    issuer,
    wellKnown,
    ...endpoints,
    jwks_endpoint,
    refresh: readUrl(provider.refresh),
    revocation: readUrl(provider.revocation),
    endSession: readUrl(provider.endSession),
  })
  const isIncomplete = urls.some(([, url]) => url?.includes('{issuer}'))
  for (const [name, url] of urls) {
    if (!url || (name !== 'issuer' && url.includes('{issuer}'))) continue
    const [expected, fix] = urlProblem(name, url, policy) ?? []
    if (expected)
      yield new InvalidEndpoints(`${mismatch(`${place}: ${name}`, expected, url)} ${fix}`)
  }
  if (issuer || (wellKnown && !isIncomplete)) return
  if (provider.type === 'oidc' || isIncomplete)
    yield new InvalidEndpoints(
      `${place}: issuer is missing. Set issuer or ${providerNames(provider.id, 'issuer')[0]}.`,
    )
  const hasRequest = typeof userinfo === 'object' && userinfo.request !== undefined
  const missing = Object.entries(endpoints).flatMap(([name, url]) =>
    url || (name === 'userinfo' && hasRequest) ? [] : [name],
  )
  if (provider.type === 'oauth' && missing.length > 0)
    yield new InvalidEndpoints(
      `${place}: no endpoint for ${missing.join(', ')}. Set the endpoints, or issuer.`,
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

const METHODS: ReadonlySet<unknown> = new Set(['link', 'code', 'both'])

function* emailProblems({ sendVerificationRequest, method = 'link' }: EmailConfig, place: string) {
  if (typeof sendVerificationRequest !== 'function')
    yield new InvalidConfiguration(
      `${place} has no sendVerificationRequest function. Set it: it sends the mail.`,
    )
  if (!METHODS.has(method))
    yield new InvalidConfiguration(
      `${mismatch(`${place}: method`, 'link, code or both', method)} It is what the mail contains.`,
    )
}

function* findProblems(provider: ProviderConfig, index: number, draft: Draft): Problems {
  const { http } = draft
  const place = `providers[${index}] (${provider.id})`
  if (!isProviderId(provider.id))
    yield new InvalidConfiguration(
      `providers[${index}] has an id that cannot be part of a path (got ${describeValue(provider.id)}). Use letters, digits, "-", "_", "." and "~".`,
    )
  const name: unknown = provider.name
  if (typeof name !== 'string')
    yield new InvalidConfiguration(mismatch(`${place}: name`, 'a string', name))
  if (isOAuth(provider)) {
    yield* endpointProblems(provider, place, http)
    for (const problem of clientProblems(provider))
      yield new InvalidConfiguration(`${place}: ${problem}`)
    yield* proxyProblem(`${place}: `, provider.redirectProxyUrl, http)
    yield* assuranceProblems(provider, place)
  } else if (provider.type === 'email') {
    yield* emailProblems(provider, place)
  } else if (provider.type === 'webauthn') {
    const support = passkeySupport(provider, place)
    if (support instanceof AuthError) yield support
    else yield* support.problems(provider, place, draft)
  } else {
    const support = findPasswordSupport(provider)
    if (support) yield* support.problems(provider, place, draft)
    else if (typeof provider.authorize !== 'function')
      yield new MissingAuthorize(
        `${place} has no authorize function. Set authorize: it returns the user, or null.`,
      )
  }
}

export function* providerProblems(draft: Draft): Problems {
  const { config, entries, http } = draft
  for (const [index, entry] of entries.entries())
    if (entry instanceof AuthError) yield entry
    else yield* findProblems(entry, index, draft)
  yield* proxyProblem('', config.redirectProxyUrl, http)
  for (const [index, pattern] of (config.redirectProxyAllowedOrigins ?? []).entries())
    if (!isOriginPattern(pattern, http))
      yield new InvalidConfiguration(
        `${mismatch(`redirectProxyAllowedOrigins[${index}]`, 'an https origin', pattern)} Write it like https://preview.example.com or https://*.example.com.`,
      )
}
