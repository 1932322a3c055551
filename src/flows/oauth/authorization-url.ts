/** Parameters of the authorization request: configured ones, those of the caller, and what to expect in return. */
import type { Transaction } from '../../checks/transaction.ts'
import type { AuthRequest } from '../../contracts.ts'
import { isServerCall } from '../../server-call.ts'
import { setParameters } from './parameters.ts'
import type { OAuthProvider } from './provider.ts'
import { endpointOf } from './server.ts'

/** Fixed by the protocol: no caller can set them (RFC 9700 §2.1). */
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
  'callbackUrl',
  'csrfToken',
])

/** Parameters that only code of the application may send: they decide what is asserted, for whom, and by which key. */
const SERVER_ONLY: ReadonlySet<string> = new Set([
  'claims',
  'id_token_hint',
  'resource',
  'dpop_jkt',
  'registration',
])

/** Metadata of the client that a parameter would override at the provider (OpenID Connect Registration §2). */
const REGISTERED: Readonly<Record<string, string>> = {
  max_age: 'default_max_age',
  acr_values: 'default_acr_values',
}

/** The values of both lists, each once (RFC 6749 §3.3). */
function unionOf(...scopes: readonly string[]): string {
  return [...new Set(scopes.flatMap((scope) => scope.split(' ')))].filter(Boolean).join(' ')
}

/** Adds what a browser asks for. What is configured stays: otherwise any visitor could weaken it. */
function addFromBrowser(url: URL, { client }: OAuthProvider, asked: URLSearchParams): void {
  for (const [name, value] of asked) {
    if (FIXED.has(name) || SERVER_ONLY.has(name)) continue
    const configured = url.searchParams.get(name)
    if (name === 'scope') url.searchParams.set(name, unionOf(configured ?? '', value))
    else if (configured === null && client[REGISTERED[name] ?? ''] === undefined)
      url.searchParams.set(name, value)
  }
}

/** Sets what code of the application asks for, in place of what is configured. */
function setFromServer(url: URL, asked: URLSearchParams): void {
  for (const [name, value] of asked) if (!FIXED.has(name)) url.searchParams.set(name, value)
}

/** The smallest number of seconds among these. */
function shortest(values: readonly unknown[]): number | undefined {
  const seconds = values.flatMap((value) => (/^\d{1,9}$/.test(String(value)) ? Number(value) : []))
  return seconds.length > 0 ? Math.min(...seconds) : undefined
}

/** What the response must prove (OpenID Connect Core §3.1.2.1): what was sent, and never less than configured. */
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

/** Conditions that the ID token must meet. */
export type Expectations = Pick<Transaction, 'maxAge' | 'acrValues'>

/** Where the browser is sent, without the parameters that the protocol fixes. */
export interface AuthorizationRequest {
  readonly url: URL
  readonly expectations: Expectations
}

/** Builds the authorization request from the configuration and the parameters of the caller. */
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
