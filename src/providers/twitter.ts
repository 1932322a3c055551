import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Response of X (`GET /2/users/me`). */
export interface TwitterProfile extends Profile {
  data: {
    id: string
    name: string
    /** The user can change it. */
    username: string
    profile_image_url?: string
    /** Requires the scope `users.email`, and the setting for it in the application at X. */
    confirmed_email?: string
  }
}

/**
 * X, formerly Twitter (OAuth).
 *
 * Turn on "Request email from users" in the settings of the application at X. For an application without it, leave out the
 * scope `users.email`: `authorization: { params: { scope: 'users.read tweet.read offline.access' } }`.
 *
 * `trustEmail` is `false`: X reports only a confirmed address, but without the claim `email_verified`.
 *
 * @see https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code
 * @example
 * ```ts
 * import Twitter from 'lib-auth/providers/twitter'
 *
 * // AUTH_TWITTER_ID and AUTH_TWITTER_SECRET are read where options are left out.
 * export const providers = [Twitter]
 * ```
 */
export default function Twitter<const Id extends string = ''>(
  options: OAuthUserConfig<TwitterProfile, Id> = {},
): OAuth2Config<TwitterProfile, 'twitter', Id> {
  return {
    id: 'twitter',
    name: 'Twitter',
    type: 'oauth',
    authorization: {
      url: 'https://x.com/i/oauth2/authorize',
      params: { scope: 'users.read tweet.read offline.access users.email' },
    },
    token: 'https://api.x.com/2/oauth2/token',
    userinfo: 'https://api.x.com/2/users/me?user.fields=profile_image_url,confirmed_email',
    revocation: 'https://api.x.com/2/oauth2/revoke',
    profile: ({ data }) => ({
      id: data.id,
      name: data.name ?? data.username,
      email: data.confirmed_email ?? null,
      image: data.profile_image_url ?? null,
    }),
    style: { brandColor: '#1da1f2', icon: () => import('./_icons/x.ts') },
    options,
  }
}
