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
import { InvalidConfiguration } from '../../errors/configuration.ts'
import { providerNames } from '../../variables.ts'
import type { OAuthProvider } from './provider.ts'
import { NO_ISSUER } from './server.ts'

/** Restricts a client assertion to one audience and sets its type (RFC 7523 §3, RFC 8725 §3.11). */
function assertionFor({
  issuer,
  token_endpoint = '',
}: AuthorizationServer): ModifyAssertionOptions {
  return {
    [modifyAssertion](header, payload) {
      header['typ'] = 'client-authentication+jwt'
      payload['aud'] = issuer === NO_ISSUER ? token_endpoint : issuer
    },
  }
}

function secretOf({ id, clientSecret }: OAuthProvider): string {
  if (clientSecret) return clientSecret
  throw new InvalidConfiguration(
    `Provider ${id} has no clientSecret. Set it, or ${providerNames(id, 'clientSecret')[0]} in the environment, or set client.token_endpoint_auth_method to another method.`,
  )
}

/** Encodes as `application/x-www-form-urlencoded` (RFC 6749 §2.3.1). */
function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

/** `client_secret_basic`. Unreserved characters stay unencoded for providers that do not decode the credentials. */
function basic(clientSecret: string): ClientAuth {
  return (_server, client, _body, headers) => {
    const credentials = `${formEncode(client.client_id)}:${formEncode(clientSecret)}`
    headers.set('authorization', `Basic ${btoa(credentials)}`)
  }
}

function secretJwt(clientSecret: string): ClientAuth {
  return (server, ...request) =>
    ClientSecretJwt(clientSecret, assertionFor(server))(server, ...request)
}

function privateKey(provider: OAuthProvider): ClientAuth {
  const { clientPrivateKey } = provider.endpoints.token
  if (clientPrivateKey)
    return (server, ...request) =>
      PrivateKeyJwt(clientPrivateKey, assertionFor(server))(server, ...request)
  throw new InvalidConfiguration(
    `Provider ${provider.id} uses private_key_jwt and has no private key. Set token.clientPrivateKey.`,
  )
}

const methods: Readonly<Record<TokenEndpointAuthMethod, (provider: OAuthProvider) => ClientAuth>> =
  {
    client_secret_basic: (provider) => basic(secretOf(provider)),
    client_secret_post: (provider) => ClientSecretPost(secretOf(provider)),
    client_secret_jwt: (provider) => secretJwt(secretOf(provider)),
    private_key_jwt: privateKey,
    tls_client_auth: () => TlsClientAuth(),
    none: () => None(),
  }

function isMethod(method: string): method is TokenEndpointAuthMethod {
  return Object.hasOwn(methods, method)
}

/** Client authentication (OpenID Connect Core §9). Throws InvalidConfiguration if a secret or key is missing. */
export function clientAuth(provider: OAuthProvider): ClientAuth {
  const method = provider.client.token_endpoint_auth_method ?? 'client_secret_basic'
  if (isMethod(method)) return methods[method](provider)
  throw new InvalidConfiguration(
    `Provider ${provider.id} has an unsupported token_endpoint_auth_method (got "${method}").`,
  )
}
