/** Client authentication at the token endpoint (RFC 6749 §2.3, OpenID Connect Core §9). */
import {
  ClientSecretJwt,
  ClientSecretPost,
  modifyAssertion,
  None,
  PrivateKeyJwt,
  TlsClientAuth,
} from 'oauth4webapi'
import type { AuthorizationServer, ClientAuth, ModifyAssertionOptions } from 'oauth4webapi'
import type { TokenEndpointAuthMethod } from '../../config/provider.ts'
import { missingClientId } from '../../config/variables.ts'
import { InvalidConfiguration } from '../../errors/classes.ts'
import type { OAuthProvider } from './provider.ts'
import { NO_ISSUER } from './server.ts'

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

/** @throws InvalidConfiguration */
export function requireClientId({ id, clientId }: OAuthProvider): string {
  if (clientId) return clientId
  throw new InvalidConfiguration(missingClientId(id))
}

export function clientAuth(provider: OAuthProvider, server: AuthorizationServer): ClientAuth {
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
