import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Facebook (`GET /me` of the Graph API). */
export interface FacebookProfile extends Omit<Profile, 'picture'> {
  /** Identifies the user for one app only. */
  id: string
  name: string
  /** Absent if the user has no confirmed address or declines the permission `email`. */
  email?: string
  picture?: {
    data: {
      url: string
      height?: number
      width?: number
      is_silhouette?: boolean
    }
  }
}

/**
 * Facebook (OAuth).
 *
 * Register the callback URL under Valid OAuth Redirect URIs of the product Facebook Login. The user can decline the
 * permission `email`, so an account can lack an address.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow/
 * @example
 * ```ts
 * import Facebook from 'lib-auth/providers/facebook'
 *
 * // AUTH_FACEBOOK_ID and AUTH_FACEBOOK_SECRET are read where options are left out.
 * export const providers = [Facebook]
 * ```
 */
export default function Facebook<const Id extends string = ''>(
  options: OAuthUserConfig<FacebookProfile, Id> = {},
): OAuth2Config<FacebookProfile, 'facebook', Id> {
  return {
    id: 'facebook',
    name: 'Facebook',
    type: 'oauth',
    // Without a version, which expires after two years, Facebook uses that of the app.
    authorization: { url: 'https://www.facebook.com/dialog/oauth', params: { scope: 'email' } },
    token: 'https://graph.facebook.com/oauth/access_token',
    userinfo: 'https://graph.facebook.com/me?fields=id,name,email,picture',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: (profile) => ({
      id: profile.id,
      name: profile.name,
      email: profile.email,
      image: profile.picture?.data?.url,
    }),
    style: { brandColor: '#006aff', icon: () => import('./_icons/facebook.ts') },
    options,
  }
}
