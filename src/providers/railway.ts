import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Railway (`GET /oauth/me`). */
export interface RailwayProfile extends Profile {
  sub: string
  name?: string | null
  email?: string | null
  picture?: string | null
}

/**
 * Railway (OAuth).
 *
 * `trustEmail` is `false`: how Railway verifies addresses is not documented.
 *
 * @see https://docs.railway.com/integrations/oauth
 * @example
 * ```ts
 * import Railway from 'lib-auth/providers/railway'
 *
 * // AUTH_RAILWAY_ID and AUTH_RAILWAY_SECRET are read where options are left out.
 * export const providers = [Railway]
 * ```
 */
export default function Railway<const Id extends string = ''>(
  options: OAuthUserConfig<RailwayProfile, Id> = {},
): OAuth2Config<RailwayProfile, 'railway', Id> {
  return {
    id: 'railway',
    name: 'Railway',
    type: 'oauth',
    // Railway sends `iss` in the authorization response (RFC 9207).
    issuer: 'https://backboard.railway.com',
    authorization: {
      url: 'https://backboard.railway.com/oauth/auth',
      params: { scope: 'openid email profile' },
    },
    token: 'https://backboard.railway.com/oauth/token',
    userinfo: 'https://backboard.railway.com/oauth/me',
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    style: { icon: () => import('./_icons/railway.ts') },
    options,
  }
}
