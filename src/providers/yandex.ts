import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Yandex (`GET /info`). */
export interface YandexProfile extends Profile {
  id: string
  /** The user can change it. */
  login: string
  client_id: string
  /** Identifies the user for one app only. */
  psuid: string
  display_name?: string
  real_name?: string
  first_name?: string
  last_name?: string
  sex?: 'male' | 'female' | null
  /** Requires the permission for the address, as does `emails`. */
  default_email?: string
  emails?: string[]
  /** Requires the permission for the picture. */
  default_avatar_id?: string
  is_avatar_empty?: boolean
  birthday?: string | null
  default_phone?: { id: number; number: string }
}

/**
 * Yandex (OAuth).
 *
 * The application needs the permissions for the address, for name and gender, and for the picture.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://yandex.com/dev/id/doc/en/
 * @example
 * ```ts
 * import Yandex from 'lib-auth/providers/yandex'
 *
 * // AUTH_YANDEX_ID and AUTH_YANDEX_SECRET are read where options are left out.
 * export const providers = [Yandex]
 * ```
 */
export default function Yandex<const Id extends string = ''>(
  options: OAuthUserConfig<YandexProfile, Id> = {},
): OAuth2Config<YandexProfile, 'yandex', Id> {
  return {
    id: 'yandex',
    name: 'Yandex',
    type: 'oauth',
    authorization: {
      url: 'https://oauth.yandex.ru/authorize',
      params: { scope: 'login:info login:email login:avatar' },
    },
    token: 'https://oauth.yandex.ru/token',
    userinfo: 'https://login.yandex.ru/info?format=json',
    profile: (profile) => ({
      id: profile.id,
      name: profile.display_name ?? profile.real_name ?? profile.first_name,
      email: profile.default_email ?? profile.emails?.[0] ?? null,
      image:
        !profile.is_avatar_empty && profile.default_avatar_id
          ? `https://avatars.yandex.net/get-yapic/${profile.default_avatar_id}/islands-200`
          : null,
    }),
    style: { brandColor: '#ffcc00' },
    options,
  }
}
