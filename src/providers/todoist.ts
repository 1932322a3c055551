import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Todoist (`GET /api/v1/user`). */
export interface TodoistProfile extends Profile {
  id: string
  full_name: string
  email: string
  /** URL of the picture with 195 pixels; absent if the user has none. */
  avatar_big?: string | null
  avatar_medium?: string | null
  avatar_s640?: string | null
  avatar_small?: string | null
  image_id?: string | null
  lang?: string
  is_premium?: boolean
  joined_at?: string
}

/**
 * Todoist (OAuth).
 *
 * Scopes are separated by commas. Access tokens do not expire.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://developer.todoist.com/api/v1/
 * @example
 * ```ts
 * import Todoist from 'lib-auth/providers/todoist'
 *
 * // AUTH_TODOIST_ID and AUTH_TODOIST_SECRET are read where options are left out.
 * export const providers = [Todoist]
 * ```
 */
export default function TodoistProvider<const Id extends string = ''>(
  options: OAuthUserConfig<TodoistProfile, Id> = {},
): OAuth2Config<TodoistProfile, 'todoist', Id> {
  return {
    id: 'todoist',
    name: 'Todoist',
    type: 'oauth',
    authorization: { url: 'https://todoist.com/oauth/authorize', params: { scope: 'data:read' } },
    token: 'https://todoist.com/oauth/access_token',
    userinfo: 'https://api.todoist.com/api/v1/user',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: (profile) => ({
      id: profile.id,
      name: profile.full_name,
      email: profile.email,
      image: profile.avatar_big,
    }),
    style: { brandColor: '#e44332', icon: () => import('./_icons/todoist.ts') },
    options,
  }
}
