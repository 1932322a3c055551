import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Roblox ID token. */
export interface RobloxProfile extends Profile {
  sub: string
  /** Display name. */
  name: string
  /** Display name. */
  nickname: string
  /** User name. */
  preferred_username: string
  /** Seconds since the epoch. */
  created_at: number
  /** URL of the profile page. */
  profile: string
  /** `null` while Roblox generates or moderates the picture. */
  picture: string | null
}

/**
 * Roblox (OpenID Connect).
 *
 * Roblox reports no e-mail address.
 *
 * @see https://create.roblox.com/docs/cloud/auth/oauth2-overview
 * @example
 * ```ts
 * import Roblox from 'lib-auth/providers/roblox'
 *
 * // AUTH_ROBLOX_ID and AUTH_ROBLOX_SECRET are read where options are left out.
 * export const providers = [Roblox]
 * ```
 */
export default function Roblox<const Id extends string = ''>(
  options: OIDCUserConfig<RobloxProfile, Id> = {},
): OIDCConfig<RobloxProfile, 'roblox', Id> {
  return {
    id: 'roblox',
    name: 'Roblox',
    type: 'oidc',
    issuer: 'https://apis.roblox.com/oauth/',
    isIssuer: isSameIssuer,
    authorization: { params: { scope: 'openid profile' } },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.nickname ?? profile.preferred_username ?? null,
      email: null,
      image: profile.picture ?? null,
    }),
    style: { brandColor: '#5865f2', icon: () => import('./_icons/roblox.ts') },
    options,
  }
}
