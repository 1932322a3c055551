/** Revokes tokens at the provider (RFC 7009). */
import {
  allowInsecureRequests,
  customFetch,
  processRevocationResponse,
  revocationRequest,
} from 'oauth4webapi'
import type { StoredTokens } from '../../tokens/stored-tokens.ts'
import { clientAuth } from './client-auth.ts'
import { endpointUrl } from './endpoint-url.ts'
import type { OAuthProvider } from './provider.ts'
import { discover, NO_ISSUER } from './server.ts'

/** Revokes the refresh token, else the access token; nothing if the provider has no endpoint for that. */
export async function revoke(provider: OAuthProvider, tokens: StoredTokens): Promise<void> {
  const { refresh_token, access_token } = tokens
  const token = refresh_token ?? access_token
  const metadata = await discover(provider)
  const stated = provider.revocation ?? metadata?.revocation_endpoint
  if (token === undefined || stated === undefined) return
  provider.secrets.add([refresh_token, access_token])
  const { href } = endpointUrl(stated, provider.http, `The revocation of provider ${provider.id}`)
  const issuer = metadata?.issuer ?? provider.issuer ?? NO_ISSUER
  const server = { ...metadata, issuer, revocation_endpoint: href }
  const client = { ...provider.client, client_id: provider.clientId ?? '' }
  const hint = refresh_token === undefined ? 'access_token' : 'refresh_token'
  const response = await revocationRequest(server, client, clientAuth(provider, server), token, {
    additionalParameters: { token_type_hint: hint },
    [customFetch]: provider.fetch,
    [allowInsecureRequests]: provider.http !== 'none',
  })
  // Some providers respond with 204 instead of 200 (RFC 7009 §2.2).
  await processRevocationResponse(response.status === 204 ? new Response() : response)
}
