import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Reddit (`GET /api/v1/me`). */
export interface RedditProfile extends Profile {
  /** Base 36. */
  id: string
  name: string
  created_utc: number
  /** HTML-escaped; empty for a user with a {@link RedditProfile.snoovatar_img}. */
  icon_img: string
  snoovatar_img: string
  /** Reddit does not report the address. */
  has_verified_email: boolean
  over_18: boolean
}

/**
 * Reddit (OAuth).
 *
 * Reddit reports no e-mail address. It issues a refresh token if `authorization.params` contains `duration: 'permanent'`.
 *
 * @see https://github.com/reddit-archive/reddit/wiki/OAuth2
 * @example
 * ```ts
 * import Reddit from 'lib-auth/providers/reddit'
 *
 * // AUTH_REDDIT_ID and AUTH_REDDIT_SECRET are read where options are left out.
 * export const providers = [Reddit]
 * ```
 */
export default function Reddit<const Id extends string = ''>(
  options: OAuthUserConfig<RedditProfile, Id> = {},
): OAuth2Config<RedditProfile, 'reddit', Id> {
  return {
    id: 'reddit',
    name: 'Reddit',
    type: 'oauth',
    authorization: {
      url: 'https://www.reddit.com/api/v1/authorize',
      params: { scope: 'identity' },
    },
    token: 'https://www.reddit.com/api/v1/access_token',
    userinfo: 'https://oauth.reddit.com/api/v1/me',
    revocation: 'https://www.reddit.com/api/v1/revoke_token',
    checks: ['state'],
    profile: (profile) => ({
      id: profile.id,
      name: profile.name ?? null,
      email: null,
      // The query is HTML-escaped.
      image: (profile.icon_img || profile.snoovatar_img)?.split('?')[0] || null,
    }),
    style: { brandColor: '#ff4500', icon: () => import('./_icons/reddit.ts') },
    options,
  }
}
