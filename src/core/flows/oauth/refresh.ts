/** Requests new tokens with a refresh token (RFC 6749 §6, OpenID Connect Core §12). */
import {
  allowInsecureRequests,
  customFetch,
  getValidatedIdTokenClaims,
  KEY_SELECTION,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
} from 'oauth4webapi'
import type { AuthorizationServer, Client } from 'oauth4webapi'
import { TIMEOUTS } from '../../async/timeout.ts'
import type { SessionContext } from '../../contracts.ts'
import { AuthError } from '../../errors/base.ts'
import { OAuthCallbackError, TemporarilyUnavailable } from '../../errors/classes.ts'
import { callHook } from '../../hooks.ts'
import { asRecord } from '../../is-record.ts'
import type { RefreshOutcome } from '../../tokens/refresh-outcome.ts'
import type { StoredTokens } from '../../tokens/stored-tokens.ts'
import type { TokenSet } from '../../types.ts'
import { clientAuth, requireClientId } from './client-auth.ts'
import { endpointUrl } from './endpoint-url.ts'
import { errorDetails } from './failure.ts'
import { decodePart, resolveIdTokenIssuer, validateIdToken } from './id-token.ts'
import { tokensRequest } from './provider.ts'
import type { OAuthProvider } from './provider.ts'
import { discover, findEndpoint, NO_ISSUER, readKeySet, readParameters } from './server.ts'
import { conformResponse, parseTokens, withExpiry } from './token-response.ts'

/** In seconds: a refresh token is not sent again before, unless the provider says otherwise. */
const PAUSE = 30
const MAX_PAUSE = 15 * 60

async function findServer(provider: OAuthProvider): Promise<AuthorizationServer> {
  const needsKeys = provider.type === 'oidc' && !provider.endpoints.jwks_uri.url
  const metadata = needsKeys ? await discover(provider) : null
  const { href } = provider.refresh.url
    ? endpointUrl(provider.refresh.url, provider.http, `refresh of provider ${provider.id}`)
    : await findEndpoint(provider, 'token_endpoint')
  const issuer = metadata?.issuer ?? provider.issuer ?? NO_ISSUER
  return { ...metadata, issuer, token_endpoint: href }
}

/** `Retry-After` in seconds (RFC 9110 §10.2.3). */
function readRetryAfter(headers: Headers): number {
  const value = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), MAX_PAUSE) : PAUSE
}

/** The claims of an ID token that was validated when it was stored. */
function storedClaims(idToken: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return idToken === undefined ? {} : decodePart(idToken, 'claims')
  } catch {
    return {}
  }
}

/**
 * A lifetime that cannot be read is unknown. To reject the response would lose its refresh token, which may have replaced
 * the old one.
 */
function withLifetime({ expires_in, ...body }: Record<string, unknown>): Record<string, unknown> {
  const isText = typeof expires_in === 'string' || typeof expires_in === 'number'
  const seconds = isText ? Number(expires_in) : NaN
  return seconds > 0 ? { ...body, expires_in: Math.min(seconds, Number.MAX_SAFE_INTEGER) } : body
}

interface Party {
  readonly server: AuthorizationServer
  readonly client: Client
}

function requireSameUser(before: StoredTokens, claims: Readonly<Record<string, unknown>>): void {
  const { sub = claims['sub'], iss = claims['iss'] } = storedClaims(before.id_token)
  if (claims['sub'] !== sub || claims['iss'] !== iss)
    throw new Error('The ID token of the refresh response is of another user.')
}

/** Milliseconds in which keys are read: the request must not end before the tokens are stored. */
const KEYS = 2_000

async function hasKeys(provider: OAuthProvider): Promise<boolean> {
  if (provider.client.id_token_signed_response_alg?.startsWith('HS')) return true
  return readKeySet(provider, 'cached').then(
    () => true,
    () => false,
  )
}

/** Whether an ID token cannot be verified, which says nothing about it: its key is unknown, or a clock is wrong. */
function isUnverifiable(error: unknown): boolean {
  const { code, cause } = asRecord(error)
  return code === KEY_SELECTION || asRecord(cause)['reason'] === 'clock'
}

/** Validates the response; a new ID token must be of the same user (OpenID Connect Core §12.2). */
async function validate(
  provider: OAuthProvider,
  { server, client }: Party,
  {
    body: answer,
    before,
  }: { readonly body: Record<string, unknown>; readonly before: StoredTokens },
): Promise<TokenSet> {
  const body = withLifetime(answer)
  const { id_token, ...rest } = body
  const withoutIdToken = async () =>
    withExpiry(await processRefreshTokenResponse(server, client, Response.json(rest)))
  if (provider.type !== 'oidc' || id_token === undefined) return withoutIdToken()
  /** To reject the response would lose its refresh token, which may have replaced the old one. */
  const unverified = async () => {
    requireSameUser(before, decodePart(typeof id_token === 'string' ? id_token : '', 'claims'))
    return withoutIdToken()
  }
  const limited = { ...provider, deadline: Math.min(provider.deadline, performance.now() + KEYS) }
  if (!(await hasKeys(limited))) return unverified()
  try {
    const issuer = resolveIdTokenIssuer(provider, server, id_token)
    const response = Response.json(body)
    const tokens = await processRefreshTokenResponse({ ...server, issuer }, client, response)
    const claims = getValidatedIdTokenClaims(tokens)
    if (!claims) throw new Error('The ID token of the refresh response is not valid.')
    await validateIdToken(limited, tokens, { claims, response, issuer, acrValues: undefined })
    requireSameUser(before, claims)
    return withExpiry(tokens)
  } catch (error) {
    if (isUnverifiable(error)) return unverified()
    throw error
  }
}

async function sendToken(
  ctx: SessionContext,
  provider: OAuthProvider,
  { server, client, before }: Party & { readonly before: StoredTokens },
): Promise<Response> {
  const { request, params = provider.endpoints.token_endpoint.params } = provider.refresh
  if (request)
    return callHook(provider, {
      what: `refresh.request of provider ${provider.id}`,
      run: () => request(tokensRequest(ctx, provider, before)),
      timeout: TIMEOUTS.provider,
    })
  const { refresh_token = '' } = before
  return refreshTokenGrantRequest(server, client, clientAuth(provider, server), refresh_token, {
    additionalParameters: readParameters({ params }),
    [customFetch]: provider.fetch,
    [allowInsecureRequests]: provider.http !== 'none',
  })
}

async function requestTokens(
  ctx: SessionContext,
  provider: OAuthProvider,
  before: StoredTokens,
): Promise<RefreshOutcome> {
  const client = { ...provider.client, client_id: requireClientId(provider) }
  const server = await findServer(provider)
  const sent = await sendToken(ctx, provider, { server, client, before })
  const answer = await conformResponse(provider, sent, provider.endpoints.token_endpoint.conform)
  const { status, headers } = answer
  if (status === 429 || status >= 500)
    return {
      kind: 'unavailable',
      retryAfter: readRetryAfter(headers),
      error: new Error(`The token endpoint responded with status ${status}.`),
      isMisconfigured: false,
    }
  const body = await parseTokens(provider, answer, null)
  const tokens = await validate(provider, { server, client }, { body, before })
  return { kind: 'refreshed', tokens }
}

/** Sends the refresh token once. Never rejects. */
export async function refresh(
  ctx: SessionContext,
  provider: OAuthProvider,
  before: StoredTokens,
): Promise<RefreshOutcome> {
  provider.secrets.add([before.refresh_token, before.access_token, before.id_token])
  try {
    return await requestTokens(ctx, provider, before)
  } catch (error) {
    const { error: own, cause } = asRecord(error)
    // With status 401, the error is that of a rejected client, whose facts contain the code.
    const code = own ?? asRecord(cause)['providerError']
    if (code === 'invalid_grant') return { kind: 'refused' }
    const isOurs = error instanceof AuthError && !(error instanceof TemporarilyUnavailable)
    const details = errorDetails(error, provider.id)
    const { providerError } = details
    const stated = typeof providerError === 'string' ? ` (${providerError})` : ''
    const message = `The provider ${provider.id} did not refresh the access token${stated}.`
    return {
      kind: 'unavailable',
      retryAfter: PAUSE,
      error: error instanceof AuthError ? error : new OAuthCallbackError(message, details),
      isMisconfigured: isOurs || code === 'unauthorized_client',
    }
  }
}
