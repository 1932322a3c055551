import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Mattermost (`GET /api/v4/users/me`). */
export interface MattermostProfile extends Profile {
  id: string
  /** In milliseconds since the epoch. */
  create_at: number
  /** In milliseconds since the epoch. */
  update_at: number
  delete_at: number
  username: string
  auth_data: string
  auth_service: string
  email: string
  email_verified?: boolean
  nickname: string
  first_name: string
  last_name: string
  position: string
  roles: string
  locale: string
  timezone?: Record<string, string>
}

/**
 * Mattermost (OAuth).
 *
 * `issuer` is the URL of the server; its administrator enables the OAuth 2.0 service provider.
 *
 * `trustEmail` is `false`: administrators can create users with a verified address, and a server can run without e-mail
 * verification. Set it to `true` for a server of your own that verifies every address.
 *
 * @see https://developers.mattermost.com/integrate/apps/authentication/oauth2/
 * @example
 * ```ts
 * import Mattermost from 'lib-auth/providers/mattermost'
 *
 * export const providers = [Mattermost({ issuer: 'https://chat.example.com' })]
 * ```
 */
export default function Mattermost<const Id extends string = ''>(
  options: OAuthUserConfig<MattermostProfile, Id> = {},
): OAuth2Config<MattermostProfile, 'mattermost', Id> {
  const base = options.issuer?.replace(/\/+$/, '') ?? '{issuer}'
  return {
    id: 'mattermost',
    name: 'Mattermost',
    type: 'oauth',
    authorization: `${base}/oauth/authorize`,
    token: `${base}/oauth/access_token`,
    userinfo: `${base}/api/v4/users/me`,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: (profile) => ({
      id: profile.id,
      name: profile.username,
      email: profile.email || null,
      image: null,
    }),
    style: { brandColor: '#000000', icon: () => import('./_icons/mattermost.ts') },
    options,
  }
}
