import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** A blog of a Tumblr user. */
export interface TumblrBlog {
  name: string
  title: string
  url: string
  uuid: string
  /** Whether it is the blog that the account was created with; a user cannot change which one it is. */
  primary: boolean
  avatar?: { url: string; width: number; height: number }[] | null
}

/** Response of Tumblr (`GET /v2/user/info`). */
export interface TumblrProfile extends Profile {
  meta?: { status: number; msg: string }
  response: {
    user: {
      /** Name of the primary blog, which the user can change. */
      name: string
      likes?: number
      following?: number
      blogs: TumblrBlog[]
    }
  }
}

/**
 * Tumblr (OAuth).
 *
 * Tumblr reports no id of the user; the account id is the UUID of the primary blog. It reports no e-mail address.
 *
 * @see https://www.tumblr.com/docs/en/api/v2#oauth2-authorization
 * @example
 * ```ts
 * import Tumblr from 'lib-auth/providers/tumblr'
 *
 * // AUTH_TUMBLR_ID and AUTH_TUMBLR_SECRET are read where options are left out.
 * export const providers = [Tumblr]
 * ```
 */
export default function Tumblr<const Id extends string = ''>(
  options: OAuthUserConfig<TumblrProfile, Id> = {},
): OAuth2Config<TumblrProfile, 'tumblr', Id> {
  return {
    id: 'tumblr',
    name: 'Tumblr',
    type: 'oauth',
    authorization: {
      url: 'https://www.tumblr.com/oauth2/authorize',
      params: { scope: 'basic' },
    },
    token: 'https://api.tumblr.com/v2/oauth2/token',
    userinfo: 'https://api.tumblr.com/v2/user/info',
    checks: ['state'],
    profile: ({ response: { user } }) => {
      const blog = user.blogs.find(({ primary }) => primary)
      if (!blog) throw new Error('Tumblr responded without a primary blog.')
      return { id: blog.uuid, name: user.name, email: null, image: blog.avatar?.[0]?.url }
    },
    style: { icon: () => import('./_icons/tumblr.ts') },
    options,
  }
}
