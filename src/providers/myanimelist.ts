import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of MyAnimeList (`GET /v2/users/@me`). */
export interface MyAnimeListProfile extends Omit<Profile, 'id'> {
  id: number
  name: string
  picture?: string | null
  gender?: string | null
  birthday?: string | null
  location?: string | null
  joined_at?: string
}

/**
 * MyAnimeList (OAuth).
 *
 * MyAnimeList has no scopes and reports no e-mail address. It requires PKCE and supports only the method `plain`.
 *
 * @see https://myanimelist.net/apiconfig/references/authorization
 * @example
 * ```ts
 * import MyAnimeList from 'lib-auth/providers/myanimelist'
 *
 * // AUTH_MYANIMELIST_ID and AUTH_MYANIMELIST_SECRET are read where options are left out.
 * export const providers = [MyAnimeList]
 * ```
 */
export default function MyAnimeList<const Id extends string = ''>(
  options: OAuthUserConfig<MyAnimeListProfile, Id> = {},
): OAuth2Config<MyAnimeListProfile, 'myanimelist', Id> {
  return {
    id: 'myanimelist',
    name: 'MyAnimeList',
    type: 'oauth',
    authorization: {
      url: 'https://myanimelist.net/v1/oauth2/authorize',
      params: { code_challenge_method: 'plain' },
    },
    token: 'https://myanimelist.net/v1/oauth2/token',
    userinfo: 'https://api.myanimelist.net/v2/users/@me',
    profile: (profile) => ({
      id: accountId(profile.id),
      name: profile.name,
      email: null,
      image: profile.picture ?? null,
    }),
    style: { icon: () => import('./_icons/myanimelist.ts') },
    options,
  }
}
