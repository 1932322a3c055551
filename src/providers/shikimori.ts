import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Shikimori (`GET /api/users/whoami`). */
export interface ShikimoriProfile extends Omit<Profile, 'id'> {
  id: number
  nickname: string
  avatar: string
  name: string | null
  locale: string
}

/**
 * Shikimori (OAuth).
 *
 * The scopes are set in the application at Shikimori, so the request contains none. Shikimori reports no e-mail address.
 *
 * @see https://shikimori.one/oauth
 * @example
 * ```ts
 * import Shikimori from 'lib-auth/providers/shikimori'
 *
 * // AUTH_SHIKIMORI_ID and AUTH_SHIKIMORI_SECRET are read where options are left out.
 * export const providers = [Shikimori]
 * ```
 */
export default function Shikimori<const Id extends string = ''>(
  options: OAuthUserConfig<ShikimoriProfile, Id> = {},
): OAuth2Config<ShikimoriProfile, 'shikimori', Id> {
  return {
    id: 'shikimori',
    name: 'Shikimori',
    type: 'oauth',
    authorization: 'https://shikimori.one/oauth/authorize',
    token: 'https://shikimori.one/oauth/token',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: 'https://shikimori.one/api/users/whoami',
    checks: ['state'],
    profile: (profile) => ({
      id: accountId(profile.id),
      name: profile.nickname ?? null,
      email: null,
      image: profile.avatar ?? null,
    }),
    options,
  }
}
