import type { Transaction } from '../../checks/transaction.ts'
import type { AuthRequest } from '../../contracts.ts'
import { isServerCall } from '../../server-call.ts'
import { setParameters } from './parameters.ts'
import type { OAuthProvider } from './provider.ts'
import { endpointOf } from './server.ts'

/** Parameters of the protocol, which no caller can set (RFC 9700 §2.1); in lower case. */
const FIXED: ReadonlySet<string> = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
  'callbackurl',
  'csrftoken',
])

/** Parameters that only server code may set: they choose the requested claims, the audience or the key. */
const SERVER_ONLY: ReadonlySet<string> = new Set([
  'claims',
  'id_token_hint',
  'resource',
  'dpop_jkt',
  'registration',
])

/** Client metadata that a request parameter would override at the provider (OpenID Connect Registration §2). */
const REGISTERED: Readonly<Record<string, string>> = {
  max_age: 'default_max_age',
  acr_values: 'default_acr_values',
}

function unionOf(...scopes: readonly string[]): string {
  return [...new Set(scopes.flatMap((scope) => scope.split(' ')))].filter(Boolean).join(' ')
}

/** Names that every server reads as they are: PHP reads a dot, a space and `[` as an underscore. */
const PLAIN_NAME = /^[\w-]+$/

/**
 * Adds parameters from the browser. Configured values have precedence, so that a visitor cannot weaken them. The case of
 * names is ignored, because some servers ignore it.
 */
function addFromBrowser(url: URL, { client }: OAuthProvider, asked: URLSearchParams): void {
  for (const [sent, value] of asked) {
    const name = sent.toLowerCase()
    if (!PLAIN_NAME.test(sent) || FIXED.has(name) || SERVER_ONLY.has(name)) continue
    const isPresent = [...url.searchParams.keys()].some((each) => each.toLowerCase() === name)
    if (name === 'scope')
      url.searchParams.set(name, unionOf(url.searchParams.get(name) ?? '', value))
    else if (!isPresent && client[REGISTERED[name] ?? ''] === undefined)
      url.searchParams.set(sent, value)
  }
}

/** Sets parameters from server code, which override configured values. */
function setFromServer(url: URL, asked: URLSearchParams): void {
  for (const [name, value] of asked)
    if (!FIXED.has(name.toLowerCase())) url.searchParams.set(name, value)
}

function shortest(values: readonly unknown[]): number | undefined {
  const seconds = values.flatMap((value) => (/^\d{1,9}$/.test(String(value)) ? Number(value) : []))
  return seconds.length > 0 ? Math.min(...seconds) : undefined
}

/** What the ID token must prove (OpenID Connect Core §3.1.2.1): as requested, but at least as configured. */
function expectationsOf(sent: URL, configured: URL, { client }: OAuthProvider): Expectations {
  const read = (name: string) => sent.searchParams.get(name) || configured.searchParams.get(name)
  const maxAge = shortest([
    sent.searchParams.get('max_age'),
    configured.searchParams.get('max_age'),
    client.default_max_age,
  ])
  const acrValues = read('acr_values')
  return { ...(maxAge !== undefined && { maxAge }), ...(acrValues && { acrValues }) }
}

export type Expectations = Pick<Transaction, 'maxAge' | 'acrValues'>

export interface AuthorizationRequest {
  readonly url: URL
  readonly expectations: Expectations
}

export async function authorizationRequest(
  { url: { searchParams: asked }, original }: AuthRequest,
  provider: OAuthProvider,
): Promise<AuthorizationRequest> {
  const configured = new URL(await endpointOf(provider, 'authorization_endpoint'))
  setParameters(configured, provider.endpoints.authorization.params)
  if (provider.type === 'oidc' && !configured.searchParams.has('scope'))
    configured.searchParams.set('scope', 'openid profile email')
  const url = new URL(configured)
  if (isServerCall(original)) setFromServer(url, asked)
  else addFromBrowser(url, provider, asked)
  return { url, expectations: expectationsOf(url, configured, provider) }
}
