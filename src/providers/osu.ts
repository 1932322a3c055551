import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** A user of osu! as in lists. */
export interface OsuUserCompact {
  id: number
  /** The user can change it. */
  username: string
  avatar_url: string
  country_code: string
  is_bot: boolean
  is_deleted: boolean
  /** The user cannot use public features of osu!. */
  is_restricted?: boolean
}

/** User of osu! (`GET /api/v2/me`). */
export interface OsuProfile extends OsuUserCompact, Omit<Profile, 'id'> {}

/**
 * osu! (OAuth).
 *
 * osu! reports no e-mail address.
 *
 * @see https://osu.ppy.sh/docs/index.html#authentication
 * @example
 * ```ts
 * import Osu from 'lib-auth/providers/osu'
 *
 * // AUTH_OSU_ID and AUTH_OSU_SECRET are read where options are left out.
 * export const providers = [Osu]
 * ```
 */
export default function Osu<const Id extends string = ''>(
  options: OAuthUserConfig<OsuProfile, Id> = {},
): OAuth2Config<OsuProfile, 'osu', Id> {
  return {
    id: 'osu',
    name: 'osu!',
    type: 'oauth',
    authorization: { url: 'https://osu.ppy.sh/oauth/authorize', params: { scope: 'identify' } },
    token: 'https://osu.ppy.sh/oauth/token',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: 'https://osu.ppy.sh/api/v2/me',
    profile: (profile) => ({
      id: accountId(profile.id),
      name: profile.username ?? null,
      email: null,
      image: profile.avatar_url ?? null,
    }),
    style: { icon: () => import('./_icons/osu.ts') },
    options,
  }
}
