import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { userinfoEndpoint } from './_userinfo.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Response of Gumroad (`GET /v2/user`). */
export interface GumroadProfile extends Profile {
  success: boolean
  user: {
    user_id: string
    name: string | null
    /** Gumroad can omit it. */
    email?: string | null
    bio: string | null
    twitter_handle: string | null
    profile_url?: string | null
  }
}

/** An error can have status 200. */
function read(profile: Profile): Profile {
  if (profile['success'] !== true) throw new Error('Gumroad responded without success: true.')
  return profile
}

/**
 * Gumroad (OAuth).
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://gumroad.com/api
 * @example
 * ```ts
 * import Gumroad from 'lib-auth/providers/gumroad'
 *
 * // AUTH_GUMROAD_ID and AUTH_GUMROAD_SECRET are read where options are left out.
 * export const providers = [Gumroad]
 * ```
 */
export default function Gumroad<const Id extends string = ''>(
  options: OAuthUserConfig<GumroadProfile, Id> = {},
): OAuth2Config<GumroadProfile, 'gumroad', Id> {
  return {
    id: 'gumroad',
    name: 'Gumroad',
    type: 'oauth',
    authorization: {
      url: 'https://gumroad.com/oauth/authorize',
      params: { scope: 'view_profile' },
    },
    token: 'https://api.gumroad.com/oauth/token',
    userinfo: userinfoEndpoint('Gumroad', { url: 'https://api.gumroad.com/v2/user', read }),
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ user }) => ({
      id: user.user_id,
      name: user.name,
      email: user.email,
      image: user.profile_url,
    }),
    style: { icon: () => import('./_icons/gumroad.ts') },
    options,
  }
}
