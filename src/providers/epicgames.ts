import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Epic Games (`GET /epic/oauth/v2/userInfo`). */
export interface EpicGamesProfile extends Profile {
  /** Epic account id. */
  sub: string
  /** Display name, which the user can change. */
  preferred_username?: string
}

/**
 * Epic Games (OAuth).
 *
 * The application needs the permission "Basic Profile" of Epic Account Services. Epic Games reports neither an e-mail
 * address nor a picture.
 *
 * @see https://dev.epicgames.com/docs/web-api-ref/authentication
 * @example
 * ```ts
 * import EpicGames from 'lib-auth/providers/epicgames'
 *
 * // AUTH_EPICGAMES_ID and AUTH_EPICGAMES_SECRET are read where options are left out.
 * export const providers = [EpicGames]
 * ```
 */
export default function EpicGames<const Id extends string = ''>(
  options: OAuthUserConfig<EpicGamesProfile, Id> = {},
): OAuth2Config<EpicGamesProfile, 'epicgames', Id> {
  return {
    id: 'epicgames',
    name: 'Epic Games',
    type: 'oauth',
    authorization: {
      url: 'https://www.epicgames.com/id/authorize',
      params: { scope: 'basic_profile' },
    },
    token: 'https://api.epicgames.dev/epic/oauth/v2/token',
    userinfo: 'https://api.epicgames.dev/epic/oauth/v2/userInfo',
    checks: ['state'],
    profile: (profile) => ({
      id: profile.sub,
      name: profile.preferred_username,
      email: null,
      image: null,
    }),
    style: { icon: () => import('./_icons/epicgames.ts') },
    options,
  }
}
