import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Netlify (`GET /api/v1/user`). */
export interface NetlifyProfile extends Profile {
  id: string
  uid?: string | null
  full_name: string
  avatar_url: string
  email: string
  affiliate_id?: string
  site_count: number
  created_at: string
  last_login: string
  login_providers: string[]
  onboarding_progress?: Record<string, string>
}

/**
 * Netlify (OAuth).
 *
 * Netlify has no scopes, so an empty scope is sent.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://docs.netlify.com/api/get-started/#authenticate-with-oauth2
 * @example
 * ```ts
 * import Netlify from 'lib-auth/providers/netlify'
 *
 * // AUTH_NETLIFY_ID and AUTH_NETLIFY_SECRET are read where options are left out.
 * export const providers = [Netlify]
 * ```
 */
export default function Netlify<const Id extends string = ''>(
  options: OAuthUserConfig<NetlifyProfile, Id> = {},
): OAuth2Config<NetlifyProfile, 'netlify', Id> {
  return {
    id: 'netlify',
    name: 'Netlify',
    type: 'oauth',
    authorization: { url: 'https://app.netlify.com/authorize', params: { scope: '' } },
    token: 'https://api.netlify.com/oauth/token',
    userinfo: 'https://api.netlify.com/api/v1/user',
    profile: (profile) => ({
      id: profile.id,
      name: profile.full_name ?? null,
      email: profile.email ?? null,
      image: profile.avatar_url ?? null,
    }),
    style: { brandColor: '#32e6e2', icon: () => import('./_icons/netlify.ts') },
    options,
  }
}
