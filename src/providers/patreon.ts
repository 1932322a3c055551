import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Response of Patreon (`GET /api/oauth2/v2/identity`). */
export interface PatreonProfile extends Profile {
  data: {
    id: string
    type: 'user'
    attributes: {
      /** Requires the scope `identity[email]`. */
      email?: string | null
      full_name: string
      image_url: string
      is_email_verified?: boolean
    }
  }
  links?: { self: string }
}

/** Patreon reports only the attributes that a request names. */
const FIELDS = 'email,full_name,image_url,is_email_verified'

/**
 * Patreon (OAuth).
 *
 * Register a client with API version 2.
 *
 * `trustEmail` is `false`: Patreon also reports an unverified address; `is_email_verified` of the profile tells them apart.
 *
 * @see https://docs.patreon.com/#oauth
 * @example
 * ```ts
 * import Patreon from 'lib-auth/providers/patreon'
 *
 * // AUTH_PATREON_ID and AUTH_PATREON_SECRET are read where options are left out.
 * export const providers = [Patreon]
 * ```
 */
export default function Patreon<const Id extends string = ''>(
  options: OAuthUserConfig<PatreonProfile, Id> = {},
): OAuth2Config<PatreonProfile, 'patreon', Id> {
  return {
    id: 'patreon',
    name: 'Patreon',
    type: 'oauth',
    authorization: {
      url: 'https://www.patreon.com/oauth2/authorize',
      params: { scope: 'identity identity[email]' },
    },
    token: 'https://www.patreon.com/api/oauth2/token',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: `https://www.patreon.com/api/oauth2/v2/identity?fields%5Buser%5D=${FIELDS}`,
    profile: ({ data: { id, attributes } }) => ({
      id,
      name: attributes.full_name ?? null,
      email: attributes.email ?? null,
      image: attributes.image_url ?? null,
    }),
    style: { brandColor: '#e85b46', icon: () => import('./_icons/patreon.ts') },
    options,
  }
}
