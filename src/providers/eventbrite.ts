import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Eventbrite (`GET /v3/users/me/`). */
export interface EventbriteProfile extends Profile {
  id: string
  name: string
  first_name: string
  last_name: string
  is_public: boolean
  image_id: string | null
  emails: { email: string; primary: boolean; verified: boolean }[]
}

const IMAGES = 'https://img.evbuc.com/https%3A%2F%2Fcdn.evbuc.com%2Fimages%2F'

/**
 * Eventbrite (OAuth).
 *
 * The address is the primary one of the account.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`, and the primary address can be unverified.
 *
 * @see https://www.eventbrite.com/platform/api#/introduction/authentication
 * @example
 * ```ts
 * import Eventbrite from 'lib-auth/providers/eventbrite'
 *
 * // AUTH_EVENTBRITE_ID and AUTH_EVENTBRITE_SECRET are read where options are left out.
 * export const providers = [Eventbrite]
 * ```
 */
export default function Eventbrite<const Id extends string = ''>(
  options: OAuthUserConfig<EventbriteProfile, Id> = {},
): OAuth2Config<EventbriteProfile, 'eventbrite', Id> {
  return {
    id: 'eventbrite',
    name: 'Eventbrite',
    type: 'oauth',
    authorization: {
      url: 'https://www.eventbrite.com/oauth/authorize',
      params: { scope: 'user.profile' },
    },
    token: 'https://www.eventbrite.com/oauth/token',
    userinfo: 'https://www.eventbriteapi.com/v3/users/me/',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: (profile) => ({
      id: profile.id,
      name: profile.name,
      email: profile.emails?.find(({ primary }) => primary)?.email ?? null,
      image: profile.image_id ? `${IMAGES}${profile.image_id}%2F1%2Foriginal.jpg` : null,
    }),
    style: { brandColor: '#f05537' },
    options,
  }
}
