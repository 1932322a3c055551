import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Pinterest (`GET /v5/user_account`). */
export interface PinterestProfile extends Profile {
  id: string
  account_type: 'PINNER' | 'BUSINESS'
  /** The user can change it. */
  username: string
  profile_image: string
  business_name: string | null
  website_url: string
}

/**
 * Pinterest (OAuth).
 *
 * Pinterest reports no e-mail address. The id of an account is `id`, because a user can change the user name.
 *
 * @see https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/
 * @example
 * ```ts
 * import Pinterest from 'lib-auth/providers/pinterest'
 *
 * // AUTH_PINTEREST_ID and AUTH_PINTEREST_SECRET are read where options are left out.
 * export const providers = [Pinterest]
 * ```
 */
export default function PinterestProvider<const Id extends string = ''>(
  options: OAuthUserConfig<PinterestProfile, Id> = {},
): OAuth2Config<PinterestProfile, 'pinterest', Id> {
  return {
    id: 'pinterest',
    name: 'Pinterest',
    type: 'oauth',
    authorization: {
      url: 'https://www.pinterest.com/oauth',
      params: { scope: 'user_accounts:read' },
    },
    token: 'https://api.pinterest.com/v5/oauth/token',
    userinfo: 'https://api.pinterest.com/v5/user_account',
    profile: (profile) => ({
      id: profile.id,
      name: profile.username ?? null,
      email: null,
      image: profile.profile_image ?? null,
    }),
    style: { brandColor: '#bd081c', icon: () => import('./_icons/pinterest.ts') },
    options,
  }
}
