import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Atlassian (`GET /me`). */
export interface AtlassianProfile extends Profile {
  account_id: string
  account_type: string
  account_status: string
  name: string
  nickname: string
  /** Absent if the user hides it. */
  email?: string | null
  picture: string
  zoneinfo?: string
  locale?: string
}

/**
 * Atlassian (OAuth).
 *
 * Add the User identity API to the application: it has the scope `read:me`. For a refresh token, add the scope
 * `offline_access`.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/
 * @example
 * ```ts
 * import Atlassian from 'lib-auth/providers/atlassian'
 *
 * // AUTH_ATLASSIAN_ID and AUTH_ATLASSIAN_SECRET are read where options are left out.
 * export const providers = [
 *   Atlassian({ authorization: { params: { scope: 'read:me offline_access' } } }),
 * ]
 * ```
 */
export default function Atlassian<const Id extends string = ''>(
  options: OAuthUserConfig<AtlassianProfile, Id> = {},
): OAuth2Config<AtlassianProfile, 'atlassian', Id> {
  return {
    id: 'atlassian',
    name: 'Atlassian',
    type: 'oauth',
    authorization: {
      url: 'https://auth.atlassian.com/authorize',
      params: { audience: 'api.atlassian.com', scope: 'read:me' },
    },
    token: 'https://auth.atlassian.com/oauth/token',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: 'https://api.atlassian.com/me',
    checks: ['state'],
    profile: (profile) => ({
      id: profile.account_id,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    style: { brandColor: '#0052cc', icon: () => import('./_icons/atlassian.ts') },
    options,
  }
}
