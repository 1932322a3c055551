import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Athlete of Strava (`GET /api/v3/athlete`). */
export interface StravaProfile extends Omit<Profile, 'id'> {
  id: number
  username: string | null
  firstname: string
  lastname: string
  /** URL of the picture; a relative path if the athlete has none. */
  profile: string
}

/**
 * Strava (OAuth).
 *
 * Strava reports no e-mail address. Set the authorization callback domain, without scheme and path, in the settings of the
 * application at Strava.
 *
 * @see https://developers.strava.com/docs/authentication/
 * @example
 * ```ts
 * import Strava from 'lib-auth/providers/strava'
 *
 * // AUTH_STRAVA_ID and AUTH_STRAVA_SECRET are read where options are left out.
 * export const providers = [Strava]
 * ```
 */
export default function Strava<const Id extends string = ''>(
  options: OAuthUserConfig<StravaProfile, Id> = {},
): OAuth2Config<StravaProfile, 'strava', Id> {
  return {
    id: 'strava',
    name: 'Strava',
    type: 'oauth',
    authorization: {
      url: 'https://www.strava.com/oauth/authorize',
      params: { scope: 'read', approval_prompt: 'auto' },
    },
    token: 'https://www.strava.com/api/v3/oauth/token',
    revocation: {
      url: 'https://www.strava.com/oauth/deauthorize',
      tokenType: 'access_token',
      tokenParameter: 'access_token',
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: 'https://www.strava.com/api/v3/athlete',
    profile: ({ id, firstname, lastname, profile }) => ({
      id: accountId(id),
      name: [firstname, lastname].filter(Boolean).join(' ') || null,
      email: null,
      image: profile?.startsWith('https:') ? profile : null,
    }),
    style: { icon: () => import('./_icons/strava.ts') },
    options,
  }
}
