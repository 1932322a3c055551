/** Redeems the authorization code at the token endpoint (RFC 6749 §4.1.3, §4.1.4). */
import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  customFetch,
  getValidatedIdTokenClaims,
  nopkce,
  processAuthorizationCodeResponse,
} from 'oauth4webapi'
import type { IDToken } from 'oauth4webapi'
import type { Transaction } from '../../checks/transaction.ts'
import { callHook } from '../../hooks.ts'
import type { TokenSet } from '../../types.ts'
import { clientAuth } from './client-auth.ts'
import { orCallbackError } from './failure.ts'
import { resolveIdTokenIssuer, validateIdToken } from './id-token.ts'
import { providerContext } from './provider.ts'
import type { SignInParties } from './provider.ts'
import { readParameters } from './server.ts'
import { conformResponse, parseTokens, withExpiry } from './token-response.ts'

async function requestTokens(
  { ctx, provider, server, client, redirectUri }: SignInParties,
  response: URLSearchParams,
  codeVerifier: string | undefined,
): Promise<Response> {
  const { request, conform } = provider.endpoints.token_endpoint
  if (request) {
    const params = Object.fromEntries(response)
    const checks = codeVerifier === undefined ? {} : { code_verifier: codeVerifier }
    const { tokens } = await callHook(provider, {
      what: `token.request of provider ${provider.id}`,
      run: () => request({ params, checks, redirectUri, provider: providerContext(ctx, provider) }),
    })
    return Response.json({ token_type: 'bearer', ...tokens })
  }
  const answer = await authorizationCodeGrantRequest(
    server,
    client,
    clientAuth(provider, server),
    response,
    redirectUri,
    codeVerifier ?? nopkce,
    {
      additionalParameters: readParameters(provider.endpoints.token_endpoint),
      [customFetch]: provider.fetch,
      [allowInsecureRequests]: provider.http !== 'none',
    },
  )
  return conformResponse(provider, answer, conform)
}

export interface Exchanged {
  readonly tokens: TokenSet
  /** Validated claims of the ID token; `oidc` only. */
  readonly claims?: IDToken
  /** An unsigned description of the user, which the browser posted with the authorization response. */
  readonly user?: object | null
}

/** Redeems the code, once, and validates the token response. Throws OAuthCallbackError. */
export function exchangeCode(
  parties: SignInParties,
  response: URLSearchParams,
  transaction: Partial<Transaction>,
): Promise<Exchanged> {
  const { provider, server, client } = parties
  const failed = `The token response of provider ${provider.id} is missing or invalid.`
  provider.secrets.addKeysOf(Object.fromEntries(response))
  provider.secrets.add(transaction.codeVerifier)
  return orCallbackError(provider.id, failed, async () => {
    const answer = await requestTokens(parties, response, transaction.codeVerifier)
    const { id_token, ...rest } = await parseTokens(provider, answer, parties.redirectUri)
    // With the media type that `oauth4webapi` requires.
    const conform = (body: object) => Response.json(body, { status: answer.status })
    // An `oauth` provider identifies the user by userinfo, so an ID token is passed on without validation.
    if (provider.type === 'oauth') {
      const tokens = await processAuthorizationCodeResponse(server, client, conform(rest))
      return { tokens: withExpiry(typeof id_token === 'string' ? { ...tokens, id_token } : tokens) }
    }
    const issuer = resolveIdTokenIssuer(provider, server, id_token)
    const { nonce, maxAge, acrValues } = transaction
    const expected = {
      requireIdToken: true,
      ...(nonce !== undefined && { expectedNonce: nonce }),
      ...(maxAge !== undefined && { maxAge }),
    }
    const conformed = conform(id_token === undefined ? rest : { id_token, ...rest })
    const as = { ...server, issuer }
    const tokens = await processAuthorizationCodeResponse(as, client, conformed, expected)
    const claims = getValidatedIdTokenClaims(tokens)
    if (!claims) throw new Error('The token response has no ID token.')
    await validateIdToken(provider, tokens, { claims, response: conformed, issuer, acrValues })
    return { tokens: withExpiry(tokens), claims }
  })
}
