/** The authorization request, as the pages of the provider pass it on. */
import { isLoopback } from '../../core/http/origin.ts'

/** The only client. */
export const CLIENT = { id: 'dev', secret: 'dev' }

export interface AuthorizationRequest {
  readonly query: URLSearchParams
  readonly redirectUri: URL
  readonly scopes: readonly string[]
}

/** What the provider tells the visitor, because the request does not show where to redirect to. */
export class RejectedRequest extends Error {
  override name = 'RejectedRequest'
}

function readRedirectUri(query: URLSearchParams): URL {
  const text = query.get('redirect_uri') ?? ''
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol) && isLoopback(url.hostname) && !url.hash) return url
  throw new RejectedRequest(
    `The redirect_uri is "${text}", which is not a URL of this machine. Open the application at http://localhost.`,
  )
}

/** @throws RejectedRequest */
export function readRequest(query: URLSearchParams): AuthorizationRequest {
  for (const name of new Set(query.keys()))
    if (query.getAll(name).length > 1) throw new RejectedRequest(`${name} is repeated.`)
  if (query.get('client_id') !== CLIENT.id)
    throw new RejectedRequest(
      `The client_id is "${query.get('client_id') ?? ''}". Set clientId and clientSecret of the provider to "${CLIENT.id}".`,
    )
  const scopes = (query.get('scope') ?? '').split(' ')
  return { query, redirectUri: readRedirectUri(query), scopes }
}

/** The error code of a request that the provider does not accept (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6). */
export function requestError({ query, scopes }: AuthorizationRequest): string | null {
  const challenge = query.get('code_challenge')
  if (query.get('response_type') !== 'code') return 'unsupported_response_type'
  if ((query.get('response_mode') ?? 'query') !== 'query') return 'invalid_request'
  if (!scopes.includes('openid')) return 'invalid_scope'
  if (challenge !== null && !/^[\w-]{43}$/.test(challenge)) return 'invalid_request'
  if (challenge !== null && query.get('code_challenge_method') !== 'S256') return 'invalid_request'
  if (query.has('request') || query.has('request_uri')) return 'request_not_supported'
  if (query.get('prompt')?.split(' ').includes('none')) return 'login_required'
  return null
}

/** The redirect of an authorization response with an error. */
export function errorUrl(
  { query, redirectUri }: AuthorizationRequest,
  error: string,
  iss: string,
): string {
  const url = new URL(redirectUri)
  const state = query.get('state')
  const parameters = { error, iss, ...(state !== null && { state }) }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}
