/** Redeems the authorization code at the token endpoint (RFC 6749 §4.1.3, §4.1.4). */
import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  customFetch,
  getValidatedIdTokenClaims,
  nopkce,
  processAuthorizationCodeResponse,
} from 'oauth4webapi'
import type { AuthorizationServer, Client, IDToken } from 'oauth4webapi'
import type { Transaction } from '../../checks/transaction.ts'
import { callHook } from '../../hooks.ts'
import type { TokenSet } from '../../types.ts'
import { checkIdToken, issuerOf, refuseClockSkew } from './claims.ts'
import { clientAuth } from './client-auth.ts'
import { callbackError, orCallbackError } from './failure.ts'
import type { OAuthProvider } from './provider.ts'
import { explainRefusal } from './refusal.ts'
import type { ProviderError } from './refusal.ts'

/** Limit for `expires_in`, in seconds: ten years. */
const MAX_EXPIRES_IN = 10 * 365 * 24 * 60 * 60

export interface ExchangeFacts {
  readonly server: AuthorizationServer
  readonly client: Client
  readonly response: URLSearchParams
  readonly redirectUri: string
  readonly transaction: Partial<Transaction>
}

export interface Exchanged {
  readonly tokens: TokenSet
  /** Validated claims of the ID token; `oidc` only. */
  readonly claims?: IDToken
}

/** Values of a response body to redact from errors. RFC 6749 §5.1 requires JSON, but some providers send a form. */
function contentOf(text: string): object {
  try {
    return [text, JSON.parse(text)]
  } catch {
    return [text, ...new URLSearchParams(text).values()]
  }
}

async function request(provider: OAuthProvider, facts: ExchangeFacts): Promise<Response> {
  const { server, client, response, redirectUri, transaction } = facts
  const { token } = provider.endpoints
  const answer = await authorizationCodeGrantRequest(
    server,
    client,
    clientAuth(provider),
    response,
    redirectUri,
    transaction.codeVerifier ?? nopkce,
    { [customFetch]: provider.fetch, [allowInsecureRequests]: provider.http !== 'none' },
  )
  const { conform } = token
  if (!conform) return answer
  provider.secrets.add(contentOf(await answer.clone().text()))
  const conformed = await callHook(provider, {
    what: `token.conform of provider ${provider.id}`,
    run: () => conform(answer.clone()),
  })
  return conformed ?? answer
}

function refuseClient(
  provider: OAuthProvider,
  { redirectUri }: ExchangeFacts,
  refusal: ProviderError,
): void {
  const message = explainRefusal(provider, refusal, redirectUri)
  if (message !== undefined) throw callbackError(message, refusal, provider.id)
}

/** Parses the JSON body and drops members with the value `null`, which some providers send for missing ones. */
async function readJson(
  response: Response,
  refuse: (refusal: ProviderError) => void,
): Promise<Record<string, unknown>> {
  const { status } = response
  const json: unknown = await response.json().catch(() => null)
  refuse({ ...Object(json), status })
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw Object.assign(new Error('The token endpoint did not return a JSON object.'), {
      status,
    })
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null))
}

/** Rejects an error with status 200, which some providers send (RFC 6749 §5.2 requires 400 or 401). */
function refuseError({ error }: Record<string, unknown>, { status }: Response): void {
  if (typeof error !== 'string' || error === '') return
  throw Object.assign(new Error('The token endpoint refused the code.'), { error, status })
}

/** Rebuilds the response with the media type that `oauth4webapi` requires. */
function asResponse(body: Record<string, unknown>, { status }: Response): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  })
}

function withExpiry(tokens: TokenSet): TokenSet {
  const { expires_in } = tokens
  // Some providers send 0 for a token that does not expire or whose lifetime is unknown.
  if (!expires_in) return tokens
  const lifetime = Math.min(Math.floor(expires_in), MAX_EXPIRES_IN)
  return { ...tokens, expires_at: Math.floor(Date.now() / 1000) + lifetime }
}

/** Redeems the code, once, and validates the token response. Throws OAuthCallbackError. */
export function exchange(provider: OAuthProvider, facts: ExchangeFacts): Promise<Exchanged> {
  const { server, client, transaction } = facts
  const failed = `The token response of provider ${provider.id} is missing or not valid.`
  return orCallbackError(provider.id, failed, async () => {
    const answer = await request(provider, facts)
    const body = await readJson(answer, (refusal) => refuseClient(provider, facts, refusal))
    refuseError(body, answer)
    if (provider.type === 'oauth') {
      // An `oauth` provider identifies the user by userinfo, so an ID token is passed on without validation.
      const { id_token, ...rest } = body
      const tokens = await processAuthorizationCodeResponse(
        server,
        client,
        asResponse(rest, answer),
      )
      return { tokens: withExpiry(typeof id_token === 'string' ? { ...tokens, id_token } : tokens) }
    }
    const issuer = issuerOf(provider, server, body['id_token'])
    refuseClockSkew(provider, body['id_token'])
    const response = asResponse(body, answer)
    const tokens = await processAuthorizationCodeResponse({ ...server, issuer }, client, response, {
      requireIdToken: true,
      ...(transaction.nonce !== undefined && { expectedNonce: transaction.nonce }),
      ...(transaction.maxAge !== undefined && { maxAge: transaction.maxAge }),
    })
    const claims = getValidatedIdTokenClaims(tokens)
    if (!claims) throw new Error('The token response has no ID token.')
    await checkIdToken(provider, tokens, {
      claims,
      response,
      issuer,
      acrValues: transaction.acrValues,
    })
    return { tokens: withExpiry(tokens), claims }
  })
}
