/** Revokes tokens at the provider (RFC 7009). */
import {
  allowInsecureRequests,
  customFetch,
  processRevocationResponse,
  revocationRequest,
} from 'oauth4webapi'
import type { ClientAuth } from 'oauth4webapi'
import { TIMEOUTS } from '../../async/timeout.ts'
import type { SessionContext } from '../../contracts.ts'
import { callHook } from '../../hooks.ts'
import { asRecord } from '../../is-record.ts'
import type { StoredTokens } from '../../tokens/stored-tokens.ts'
import { clientAuth } from './client-auth.ts'
import { endpointUrl } from './endpoint-url.ts'
import { tokensRequest } from './provider.ts'
import type { OAuthProvider } from './provider.ts'
import { discover, NO_ISSUER, readParameters } from './server.ts'

/** Names the token as the provider requires; the hint belongs to the standard name. */
function withTokenParameter(name: string | undefined, auth: ClientAuth): ClientAuth {
  if (name === undefined) return auth
  return async (server, client, body, headers) => {
    await auth(server, client, body, headers)
    body.set(name, body.get('token') ?? '')
    body.delete('token')
    body.delete('token_type_hint')
  }
}

async function sendToken(
  provider: OAuthProvider,
  { refresh_token, access_token }: StoredTokens,
): Promise<Response | undefined> {
  const { url, tokenType, tokenParameter } = provider.revocation
  const isRefreshToken = tokenType === undefined && refresh_token !== undefined
  const token = isRefreshToken ? refresh_token : access_token
  const metadata = await discover(provider)
  const stated = url ?? metadata?.revocation_endpoint
  if (token === undefined || stated === undefined) return undefined
  const { href } = endpointUrl(stated, provider.http, `The revocation of provider ${provider.id}`)
  const issuer = metadata?.issuer ?? provider.issuer ?? NO_ISSUER
  const server = { ...metadata, issuer, revocation_endpoint: href }
  const client = { ...provider.client, client_id: provider.clientId ?? '' }
  const parameters = readParameters(provider.revocation)
  parameters.set('token_type_hint', isRefreshToken ? 'refresh_token' : 'access_token')
  const auth = withTokenParameter(tokenParameter, clientAuth(provider, server))
  return revocationRequest(server, client, auth, token, {
    additionalParameters: parameters,
    [customFetch]: provider.fetch,
    [allowInsecureRequests]: provider.http !== 'none',
  })
}

/** Some providers send an error with status 200. */
async function rejectError(response: Response): Promise<void> {
  const { error, ok } = asRecord(await response.json().catch(() => null))
  if (ok === false || (typeof error === 'string' && error !== ''))
    throw new Error(`The provider responded with the error ${String(error)}.`)
}

/** Revokes the refresh token, else the access token; nothing if the provider has no endpoint for that. */
export async function revoke(
  ctx: SessionContext,
  provider: OAuthProvider,
  tokens: StoredTokens,
): Promise<void> {
  provider.secrets.add([tokens.refresh_token, tokens.access_token])
  const { request } = provider.revocation
  const response = request
    ? await callHook(provider, {
        what: `revocation.request of provider ${provider.id}`,
        run: () => request(tokensRequest(ctx, provider, tokens)),
        timeout: TIMEOUTS.provider,
      })
    : await sendToken(provider, tokens)
  if (!response) return
  // Some providers respond with 204 instead of 200 (RFC 7009 §2.2).
  await processRevocationResponse(response.status === 204 ? new Response() : response.clone())
  await rejectError(response)
}
