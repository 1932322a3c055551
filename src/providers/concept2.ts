import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of the Concept2 Logbook (`GET /api/users/me`). */
export interface Concept2Profile extends Profile {
  data: {
    id: number
    username: string
    first_name: string
    last_name: string
    gender: string
    /** Date, `YYYY-MM-DD`. */
    dob: string
    email: string
    country: string
    profile_image: string | null
    age_restricted: boolean
    email_permission: boolean | null
    /** Heart rate in beats per minute. */
    max_heart_rate: number | null
    /** In hundredths of a kilogram. */
    weight: number | null
    logbook_privacy: string | null
  }
}

/**
 * Concept2 (OAuth).
 *
 * Scopes are separated by commas. If the application does not write results, set
 * `authorization: { params: { scope: 'user:read' } }`: a sign-in does not need `results:write`.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://log.concept2.com/developers/documentation/
 * @example
 * ```ts
 * import Concept2 from 'lib-auth/providers/concept2'
 *
 * // AUTH_CONCEPT2_ID and AUTH_CONCEPT2_SECRET are read where options are left out.
 * export const providers = [Concept2({ authorization: { params: { scope: 'user:read' } } })]
 * ```
 */
export default function Concept2<const Id extends string = ''>(
  options: OAuthUserConfig<Concept2Profile, Id> = {},
): OAuth2Config<Concept2Profile, 'concept2', Id> {
  return {
    id: 'concept2',
    name: 'Concept2',
    type: 'oauth',
    authorization: {
      url: 'https://log.concept2.com/oauth/authorize',
      params: { scope: 'user:read,results:write' },
    },
    token: 'https://log.concept2.com/oauth/access_token',
    userinfo: 'https://log.concept2.com/api/users/me',
    profile: ({ data }) => ({
      id: accountId(data.id),
      name: data.username ?? null,
      email: data.email ?? null,
      image: data.profile_image ?? null,
    }),
    options,
  }
}
