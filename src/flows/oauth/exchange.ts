/** Redeems the code at the token endpoint (RFC 6749 §4.1.3, §4.1.4). */
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
import type { TokenSet } from '../../types.ts'
import { checkIdToken, issuerOf, refuseClockSkew } from './claims.ts'
import { clientAuth } from './client-auth.ts'
import { ask, callbackError, orCallbackError } from './failure.ts'
import type { OAuthProvider } from './provider.ts'
import { explainRefusal } from './refusal.ts'
import type { ProviderError } from './refusal.ts'

/** Longest lifetime of an access token that is believed, in seconds: ten years. */
const MAX_EXPIRES_IN = 10 * 365 * 24 * 60 * 60

/** Everything the exchange depends on. */
export interface ExchangeFacts {
  readonly server: AuthorizationServer
  readonly client: Client
  /** The checked authorization response. */
  readonly response: URLSearchParams
  readonly redirectUri: string
  readonly transaction: Partial<Transaction>
}

/** What the provider handed out. */
export interface Exchanged {
  readonly tokens: TokenSet
  /** Claims of the ID token, all of them checked; `oidc` only. */
  readonly claims?: IDToken
}

/** Whatever is in a body: some providers answer with a form (RFC 6749 §5.1 asks for JSON). */
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
  const conformed = await ask({
    what: `token.conform of provider ${provider.id}`,
    deadline: provider.deadline,
    told: contentOf(await answer.clone().text()),
    run: () => conform(answer.clone()),
  })
  return conformed ?? answer
}

/** Rejects a refusal that says what to change. */
function refuseClient(
  provider: OAuthProvider,
  { redirectUri }: ExchangeFacts,
  refusal: ProviderError,
): void {
  const message = explainRefusal(provider, refusal, redirectUri)
  if (message !== undefined) throw callbackError(message, refusal, provider.id)
}

/** The members of the body that are there: `null` says that one is not. */
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

/** Some providers refuse with status 200 (RFC 6749 §5.2 asks for 400 or 401). */
function refuseError({ error }: Record<string, unknown>, { status }: Response): void {
  if (typeof error !== 'string' || error === '') return
  throw Object.assign(new Error('The token endpoint refused the code.'), { error, status })
}

/** The body again, labelled as the protocol wants it. */
function asResponse(body: Record<string, unknown>, { status }: Response): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  })
}

/** Adds when the access token expires, in seconds since the epoch. */
function withExpiry(tokens: TokenSet): TokenSet {
  const { expires_in } = tokens
  // With 0, providers say that the token does not expire, or that they do not know.
  if (!expires_in) return tokens
  const lifetime = Math.min(Math.floor(expires_in), MAX_EXPIRES_IN)
  return { ...tokens, expires_at: Math.floor(Date.now() / 1000) + lifetime }
}

/**
 * Redeems the code, once, and checks what comes back.
 *
 * @throws OAuthCallbackError
 */
export function exchange(provider: OAuthProvider, facts: ExchangeFacts): Promise<Exchanged> {
  const { server, client, transaction } = facts
  const failed = `The token response of provider ${provider.id} is missing or not valid.`
  return orCallbackError(provider.id, failed, async () => {
    const answer = await request(provider, facts)
    const body = await readJson(answer, (refusal) => refuseClient(provider, facts, refusal))
    refuseError(body, answer)
    if (provider.type === 'oauth') {
      // An ID token nobody asked for is handed on unread; who signed in is asked elsewhere.
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
