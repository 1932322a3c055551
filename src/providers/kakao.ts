import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Time in UTC (ISO 8601). */
export type DateTime = string
/** Age in years, `<minimum>~<maximum>`; without a maximum from 90. */
export type AgeRange = `${number}~${number | ''}`
/** Day of birth, `MMDD`. */
export type Birthday = string
/** The gender that the user has stated. */
export type Gender = 'female' | 'male'

/** User of Kakao (`GET /v2/user/me`). Members that the user has not consented to are absent. */
export interface KakaoProfile extends Omit<Profile, 'id'> {
  id: number
  connected_at?: DateTime
  properties?: Record<string, string>
  kakao_account?: {
    profile?: {
      nickname?: string
      thumbnail_image_url?: string
      profile_image_url?: string
      is_default_image?: boolean
      is_default_nickname?: boolean
    }
    name?: string
    email?: string
    /** `false` if the address has since been registered for another Kakao account. */
    is_email_valid?: boolean
    is_email_verified?: boolean
    age_range?: AgeRange
    birthyear?: string
    birthday?: Birthday
    gender?: Gender
    phone_number?: string
  }
}

function readEmail({ kakao_account: account }: KakaoProfile): string | null {
  const isOwn = account?.is_email_valid === true && account.is_email_verified === true
  return (isOwn && account.email) || null
}

/**
 * Kakao (OAuth).
 *
 * The consent items of the app replace scopes, so an empty scope is sent. The client id is the REST API key, and the
 * client secret must be activated. `email` is `null` unless the user consents to it and Kakao reports the address as valid
 * and verified.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://developers.kakao.com/docs/latest/en/kakaologin/rest-api
 * @example
 * ```ts
 * import Kakao from 'lib-auth/providers/kakao'
 *
 * // AUTH_KAKAO_ID and AUTH_KAKAO_SECRET are read where options are left out.
 * export const providers = [Kakao]
 * ```
 */
export default function Kakao<const Id extends string = ''>(
  options: OAuthUserConfig<KakaoProfile, Id> = {},
): OAuth2Config<KakaoProfile, 'kakao', Id> {
  return {
    id: 'kakao',
    name: 'Kakao',
    type: 'oauth',
    authorization: { url: 'https://kauth.kakao.com/oauth/authorize', params: { scope: '' } },
    token: 'https://kauth.kakao.com/oauth/token',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: 'https://kapi.kakao.com/v2/user/me',
    profile: (profile) => ({
      id: accountId(profile.id),
      name: profile.kakao_account?.profile?.nickname ?? null,
      email: readEmail(profile),
      image: profile.kakao_account?.profile?.profile_image_url ?? null,
    }),
    options,
  }
}
