/** Redeems the authorization code at the token endpoint (RFC 6749 §4.1.3, §4.1.4). */
import { asRecord, isRecord } from '../../is-record.ts'
import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  ClientSecretJwt,
  ClientSecretPost,
  customFetch,
  getValidatedIdTokenClaims,
  modifyAssertion,
  None,
  nopkce,
  PrivateKeyJwt,
  processAuthorizationCodeResponse,
  TlsClientAuth,
} from 'oauth4webapi'
import type { AuthorizationServer, ClientAuth, IDToken, ModifyAssertionOptions } from 'oauth4webapi'
import type { Transaction } from '../../checks/transaction.ts'
import type { TokenEndpointAuthMethod } from '../../config/provider.ts'
import { epochSeconds } from '../../crypto/seal.ts'
import { InvalidConfiguration } from '../../errors/classes.ts'
import { callHook } from '../../hooks.ts'
import type { TokenSet } from '../../types.ts'
import { describeError, orCallbackError, rejectClientError } from './failure.ts'
import { resolveIdTokenIssuer, validateIdToken } from './id-token.ts'
import { providerContext } from './provider.ts'
import type { OAuthProvider, SignInParties } from './provider.ts'
import { NO_ISSUER, readParameters } from './server.ts'

/** Limit for `expires_in`, in seconds: ten years. */
const MAX_EXPIRES_IN = 10 * 365 * 24 * 60 * 60

/** Encodes as `application/x-www-form-urlencoded` (RFC 6749 §2.3.1). */
function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

/** `client_secret_basic`. Unreserved characters stay unencoded for providers that do not decode the credentials. */
function clientSecretBasic(clientSecret = ''): ClientAuth {
  return (_server, client, _body, headers) => {
    const credentials = `${formEncode(client.client_id)}:${formEncode(clientSecret)}`
    headers.set('authorization', `Basic ${btoa(credentials)}`)
  }
}

type AuthMethod = (
  provider: OAuthProvider,
  assertion: ModifyAssertionOptions,
) => ClientAuth | undefined

/** The validation of the configuration rejects a missing secret or key. */
const authMethods: Readonly<Record<TokenEndpointAuthMethod, AuthMethod>> = {
  client_secret_basic: ({ clientSecret }) => clientSecretBasic(clientSecret),
  client_secret_post: ({ clientSecret = '' }) => ClientSecretPost(clientSecret),
  client_secret_jwt: ({ clientSecret = '' }, assertion) => ClientSecretJwt(clientSecret, assertion),
  private_key_jwt: ({ endpoints }, assertion) => {
    const { clientPrivateKey } = endpoints.token_endpoint
    return clientPrivateKey && PrivateKeyJwt(clientPrivateKey, assertion)
  },
  tls_client_auth: () => TlsClientAuth(),
  none: () => None(),
}

/** Names the client id as the provider requires. */
function withClientIdParameter(name: string, auth: ClientAuth): ClientAuth {
  return async (server, client, body, headers) => {
    await auth(server, client, body, headers)
    body.delete('client_id')
    body.set(name, client.client_id)
  }
}

/** Client authentication (OpenID Connect Core §9). */
function clientAuth(provider: OAuthProvider, server: AuthorizationServer): ClientAuth {
  const { id, client, clientIdParameter } = provider
  const method = client.token_endpoint_auth_method ?? 'client_secret_basic'
  const create = new Map<string, AuthMethod>(Object.entries(authMethods)).get(method)
  const { issuer, token_endpoint = '' } = server
  const auth = create?.(provider, {
    // Restricts a client assertion to one audience and sets its type (RFC 7523 §3, RFC 8725 §3.11).
    [modifyAssertion](header, payload) {
      header['typ'] = 'client-authentication+jwt'
      payload['aud'] = issuer === NO_ISSUER ? token_endpoint : issuer
    },
  })
  if (!auth)
    throw new InvalidConfiguration(
      `Provider ${id} has an unsupported token_endpoint_auth_method (got "${method}").`,
    )
  return clientIdParameter ? withClientIdParameter(clientIdParameter, auth) : auth
}

/** Names of members that describe an error; their texts are not secret. */
const DESCRIPTION = /^(?:err|message|msg|status|reason|detail)/i

const isDescription = (name: string, value: unknown) =>
  DESCRIPTION.test(name) && typeof value !== 'object'

/** Values of a response body to redact from errors. RFC 6749 §5.1 requires JSON, but some providers send a form. */
function readContent(text: string): object {
  try {
    return [text, JSON.parse(text, (name, value) => (isDescription(name, value) ? null : value))]
  } catch {
    const fields = [...new URLSearchParams(text)].filter((field) => !isDescription(...field))
    return [text, ...fields.map(([, value]) => value)]
  }
}

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
  if (!conform) return answer
  provider.secrets.add(readContent(await answer.clone().text()))
  const conformed = await callHook(provider, {
    what: `token.conform of provider ${provider.id}`,
    run: () => conform(answer.clone()),
  })
  return conformed ?? answer
}

/** Parses the JSON body and drops members with the value `null`, which some providers send for missing ones. */
async function parseTokens(
  { provider, redirectUri }: SignInParties,
  answer: Response,
): Promise<Record<string, unknown>> {
  const { status } = answer
  const json: unknown = await answer.json().catch(() => null)
  provider.secrets.addKeysOf(json)
  const { error_description: description } = asRecord(json)
  const facts = { status, providerErrorDescription: describeError(provider, description) }
  rejectClientError(provider, { ...asRecord(json), ...facts }, redirectUri)
  if (!isRecord(json))
    throw Object.assign(new Error('The token endpoint did not return a JSON object.'), { status })
  const members = Object.entries(json).filter(([, value]) => value !== null)
  const body: Record<string, unknown> = Object.fromEntries(members)
  const { error } = body
  // Some providers send an error with status 200 (RFC 6749 §5.2 requires 400 or 401).
  if (typeof error === 'string' && error !== '')
    throw Object.assign(new Error('The token endpoint rejected the code.'), { error, ...facts })
  return body
}

function withExpiry(tokens: TokenSet): TokenSet {
  // Some providers send 0 for a token that does not expire or whose lifetime is unknown.
  if (!tokens.expires_in) return tokens
  const lifetime = Math.min(Math.floor(tokens.expires_in), MAX_EXPIRES_IN)
  return { ...tokens, expires_at: epochSeconds() + lifetime }
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
    const { id_token, ...rest } = await parseTokens(parties, answer)
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
