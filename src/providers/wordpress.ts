import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of WordPress.com (`GET /rest/v1.1/me`). */
export interface WordPressProfile extends Profile {
  ID: number
  display_name: string
  /** Login name. */
  username: string
  email: string
  email_verified?: boolean
  primary_blog?: number
  language?: string
  avatar_URL: string
  profile_URL?: string
  verified?: boolean
}

/**
 * WordPress.com (OAuth).
 *
 * The scope `auth` only identifies the user, and gives no access to a site.
 *
 * `trustEmail` is `false`. Set it to `true` if the verification by WordPress.com is sufficient for your application.
 *
 * @see https://developer.wordpress.com/docs/oauth2/
 * @example
 * ```ts
 * import WordPress from 'lib-auth/providers/wordpress'
 *
 * // AUTH_WORDPRESS_ID and AUTH_WORDPRESS_SECRET are read where options are left out.
 * export const providers = [WordPress]
 * ```
 */
export default function WordPress<const Id extends string = ''>(
  options: OAuthUserConfig<WordPressProfile, Id> = {},
): OAuth2Config<WordPressProfile, 'wordpress', Id> {
  return {
    id: 'wordpress',
    name: 'WordPress.com',
    type: 'oauth',
    authorization: {
      url: 'https://public-api.wordpress.com/oauth2/authorize',
      params: { scope: 'auth' },
    },
    token: 'https://public-api.wordpress.com/oauth2/token',
    userinfo: 'https://public-api.wordpress.com/rest/v1.1/me',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: (profile) => ({
      id: accountId(profile.ID),
      name: profile.display_name,
      email: profile.email,
      image: profile.avatar_URL,
    }),
    style: { icon: () => import('./_icons/wordpress.ts') },
    options,
  }
}
