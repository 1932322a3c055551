import type { OAuth2Config, OAuthUserConfig, TokensRequest } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Coinbase (`GET /v2/user`). */
export interface CoinbaseProfile extends Profile {
  data: {
    id: string
    name: string | null
    username?: string | null
    profile_location?: string | null
    profile_bio?: string | null
    profile_url?: string | null
    avatar_url: string | null
    resource: 'user'
    resource_path: string
    /** Requires the scope `wallet:user:email`. */
    email?: string | null
  }
}

const REVOCATION = 'https://login.coinbase.com/oauth2/revoke'

/** Coinbase requires the access token both as credential and as parameter. */
async function revoke({ tokens, provider }: TokensRequest): Promise<Response> {
  const { access_token = '' } = tokens
  const { clientId: client_id, clientSecret: client_secret = '' } = provider
  return provider.fetch(provider.revocation?.url ?? REVOCATION, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}` },
    body: new URLSearchParams({ token: access_token, client_id, client_secret }),
  })
}

/**
 * Coinbase (OAuth).
 *
 * For a refresh token, add the scope `offline_access`.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/integrations
 * @example
 * ```ts
 * import Coinbase from 'lib-auth/providers/coinbase'
 *
 * // AUTH_COINBASE_ID and AUTH_COINBASE_SECRET are read where options are left out.
 * export const providers = [Coinbase]
 * ```
 */
export default function Coinbase<const Id extends string = ''>(
  options: OAuthUserConfig<CoinbaseProfile, Id> = {},
): OAuth2Config<CoinbaseProfile, 'coinbase', Id> {
  return {
    id: 'coinbase',
    name: 'Coinbase',
    type: 'oauth',
    authorization: {
      url: 'https://login.coinbase.com/oauth2/auth',
      params: { scope: 'wallet:user:email wallet:user:read' },
    },
    token: 'https://login.coinbase.com/oauth2/token',
    revocation: { url: REVOCATION, request: revoke },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: 'https://api.coinbase.com/v2/user',
    profile: ({ data }) => ({
      id: data.id,
      name: data.name ?? null,
      email: data.email ?? null,
      image: data.avatar_url ?? null,
    }),
    style: { brandColor: '#0052ff' },
    options,
  }
}
