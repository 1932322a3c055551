import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Tiltify (`GET /api/public/current-user`). */
export interface TiltifyProfile extends Profile {
  data: {
    id: string
    /** The user name, which the user can change. */
    username: string
    slug?: string
    email?: string | null
    url?: string
    avatar?: {
      src: string
      alt?: string
      width?: number
      height?: number
    } | null
  }
}

/**
 * Tiltify (OAuth).
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://developers.tiltify.com/
 * @example
 * ```ts
 * import Tiltify from 'lib-auth/providers/tiltify'
 *
 * // AUTH_TILTIFY_ID and AUTH_TILTIFY_SECRET are read where options are left out.
 * export const providers = [Tiltify]
 * ```
 */
export default function Tiltify<const Id extends string = ''>(
  options: OAuthUserConfig<TiltifyProfile, Id> = {},
): OAuth2Config<TiltifyProfile, 'tiltify', Id> {
  return {
    id: 'tiltify',
    name: 'Tiltify',
    type: 'oauth',
    authorization: {
      url: 'https://v5api.tiltify.com/oauth/authorize',
      params: { scope: 'public' },
    },
    token: 'https://v5api.tiltify.com/oauth/token',
    userinfo: 'https://v5api.tiltify.com/api/public/current-user',
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ data }) => ({
      id: data.id,
      name: data.username,
      email: data.email,
      image: data.avatar?.src,
    }),
    options,
  }
}
