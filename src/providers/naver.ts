import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Response of Naver (`GET /v1/nid/me`). Members that the user has not consented to are absent. */
export interface NaverProfile extends Profile {
  /** `00` if the request succeeded. */
  resultcode: string
  message: string
  response: {
    /** Id of the user for this application. */
    id: string
    nickname?: string
    name?: string
    email?: string
    gender?: 'F' | 'M' | 'U'
    age?: string
    birthday?: string
    birthyear?: string
    profile_image?: string
    mobile?: string
  }
}

/**
 * Naver (OAuth).
 *
 * The settings of the application select what a profile contains. Naver requires `state` and does not support PKCE.
 *
 * `trustEmail` is `false`: the address is the contact address, which the user can change, and the profile has no
 * `email_verified`.
 *
 * @see https://developers.naver.com/docs/login/api/api.md
 * @example
 * ```ts
 * import Naver from 'lib-auth/providers/naver'
 *
 * // AUTH_NAVER_ID and AUTH_NAVER_SECRET are read where options are left out.
 * export const providers = [Naver]
 * ```
 */
export default function Naver<const Id extends string = ''>(
  options: OAuthUserConfig<NaverProfile, Id> = {},
): OAuth2Config<NaverProfile, 'naver', Id> {
  return {
    id: 'naver',
    name: 'Naver',
    type: 'oauth',
    authorization: 'https://nid.naver.com/oauth2.0/authorize',
    token: 'https://nid.naver.com/oauth2.0/token',
    revocation: {
      url: 'https://nid.naver.com/oauth2.0/token',
      params: { grant_type: 'delete', service_provider: 'NAVER' },
      tokenType: 'access_token',
      tokenParameter: 'access_token',
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: 'https://openapi.naver.com/v1/nid/me',
    checks: ['state'],
    profile: ({ resultcode, response }) => {
      if (resultcode !== '00') throw new Error(`Naver responded with result code ${resultcode}.`)
      return {
        id: response.id,
        name: response.nickname ?? response.name ?? null,
        email: response.email ?? null,
        image: response.profile_image ?? null,
      }
    },
    style: { icon: () => import('./_icons/naver.ts') },
    options,
  }
}
