import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of FACEIT (`GET /auth/v1/resources/userinfo`). */
export interface FACEITProfile extends Profile {
  guid: string
  nickname: string
  email: string
  picture: string
  locale: string
}

/**
 * FACEIT (OAuth).
 *
 * `trustEmail` is `false`: FACEIT does not document how it verifies addresses.
 *
 * @see https://docs.faceit.com/getting-started/authentication/oauth2
 * @example
 * ```ts
 * import FACEIT from 'lib-auth/providers/faceit'
 *
 * // AUTH_FACEIT_ID and AUTH_FACEIT_SECRET are read where options are left out.
 * export const providers = [FACEIT]
 * ```
 */
export default function FACEIT<const Id extends string = ''>(
  options: OAuthUserConfig<FACEITProfile, Id> = {},
): OAuth2Config<FACEITProfile, 'faceit', Id> {
  return {
    id: 'faceit',
    name: 'FACEIT',
    type: 'oauth',
    authorization: {
      url: 'https://accounts.faceit.com/accounts',
      // The userinfo endpoint requires the scopes; without redirect_popup, the page expects to be a popup.
      params: { scope: 'openid profile email', redirect_popup: 'true' },
    },
    token: 'https://api.faceit.com/auth/v1/oauth/token',
    userinfo: 'https://api.faceit.com/auth/v1/resources/userinfo',
    profile: (profile) => ({
      id: profile.guid,
      name: profile.nickname ?? profile.name,
      email: profile.email,
      image: profile.picture,
    }),
    style: { icon: () => import('./_icons/faceit.ts') },
    options,
  }
}
