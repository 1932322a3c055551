import { accountId } from '../core/flows/oauth/account-id.ts'
import type {
  OAuth2Config,
  OAuthProviderContext,
  OAuthUserConfig,
} from '../core/config/provider.ts'
import type { Profile, TokenSet } from '../core/types.ts'
import { subpath } from './_subpath.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Etsy (`GET /v3/application/users/{user_id}`). */
export interface EtsyProfile extends Profile {
  user_id: number
  /** Requires the scope `email_r`. */
  primary_email: string | null
  first_name: string | null
  last_name: string | null
  image_url_75x75: string | null
}

const USERS = 'https://openapi.etsy.com/v3/application/users'

async function userinfo({
  tokens,
  provider,
}: {
  tokens: TokenSet
  provider: OAuthProviderContext
}): Promise<Profile> {
  const { clientId, clientSecret, fetch } = provider
  const headers = {
    authorization: `Bearer ${tokens.access_token}`,
    'x-api-key': clientSecret ? `${clientId}:${clientSecret}` : clientId,
  }
  const read = async (id: unknown): Promise<Profile> => {
    const url = subpath(provider.userinfo?.url ?? USERS, String(id))
    const response = await fetch(url, { headers })
    if (!response.ok) throw new Error(`Etsy responded with status ${response.status}.`)
    return response.json()
  }
  const { user_id } = await read('me')
  if (!Number.isSafeInteger(user_id)) throw new Error('Etsy returned no user_id.')
  return read(user_id)
}

/**
 * Etsy (OAuth).
 *
 * The client id is the keystring of the application. Etsy authenticates the token request by PKCE alone, but its API
 * requires the shared secret too, so set `clientSecret`.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://developers.etsy.com/documentation/essentials/authentication
 * @example
 * ```ts
 * import Etsy from 'lib-auth/providers/etsy'
 *
 * // AUTH_ETSY_ID and AUTH_ETSY_SECRET are read where options are left out.
 * export const providers = [Etsy]
 * ```
 */
export default function Etsy<const Id extends string = ''>(
  options: OAuthUserConfig<EtsyProfile, Id> = {},
): OAuth2Config<EtsyProfile, 'etsy', Id> {
  return {
    id: 'etsy',
    name: 'Etsy',
    type: 'oauth',
    authorization: {
      url: 'https://www.etsy.com/oauth/connect',
      params: { scope: 'shops_r email_r' },
    },
    token: 'https://api.etsy.com/v3/public/oauth/token',
    userinfo: { url: USERS, request: userinfo },
    client: { token_endpoint_auth_method: 'none' },
    profile: (profile) => ({
      id: accountId(profile.user_id),
      name: [profile.first_name, profile.last_name].filter(Boolean).join(' ') || null,
      email: profile.primary_email,
      image: profile.image_url_75x75,
    }),
    style: { icon: () => import('./_icons/etsy.ts') },
    options,
  }
}
