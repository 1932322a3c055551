import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Figma (`GET /v1/me`). */
export interface FigmaProfile extends Profile {
  id: string
  email: string
  /** Display name, which the user can change. */
  handle: string
  img_url: string
}

/**
 * Figma (OAuth).
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://developers.figma.com/docs/rest-api/authentication/
 * @example
 * ```ts
 * import Figma from 'lib-auth/providers/figma'
 *
 * // AUTH_FIGMA_ID and AUTH_FIGMA_SECRET are read where options are left out.
 * export const providers = [Figma]
 * ```
 */
export default function Figma<const Id extends string = ''>(
  options: OAuthUserConfig<FigmaProfile, Id> = {},
): OAuth2Config<FigmaProfile, 'figma', Id> {
  return {
    id: 'figma',
    name: 'Figma',
    type: 'oauth',
    authorization: {
      url: 'https://www.figma.com/oauth',
      params: { scope: 'current_user:read' },
    },
    token: 'https://api.figma.com/v1/oauth/token',
    refresh: 'https://api.figma.com/v1/oauth/refresh',
    userinfo: 'https://api.figma.com/v1/me',
    checks: ['state'],
    profile: (profile) => ({
      id: profile.id,
      name: profile.handle,
      email: profile.email,
      image: profile.img_url,
    }),
    style: { brandColor: '#ff7237', icon: () => import('./_icons/figma.ts') },
    options,
  }
}
