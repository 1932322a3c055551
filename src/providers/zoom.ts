import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Zoom (`GET /v2/users/me`). */
export interface ZoomProfile extends Profile {
  id: string
  first_name: string
  last_name: string
  display_name?: string
  email: string
  /** 1: basic, 2: licensed, 99: none. */
  type: number
  role_name: string
  /** Personal meeting id. */
  pmi: number
  use_pmi: boolean
  personal_meeting_url: string
  timezone: string
  /** 1 if the address is verified. */
  verified: number
  dept: string
  created_at: string
  last_login_time: string
  /** Absent if the user has no picture. */
  pic_url?: string
  account_id: string
  language: string
  status: string
}

/**
 * Zoom (OAuth).
 *
 * The app in the Zoom Marketplace determines the scopes; it needs the scope to view a user (`user:read:user`).
 *
 * `trustEmail` is `false`: administrators of an account can set the address of a user.
 *
 * @see https://developers.zoom.us/docs/integrations/oauth/
 * @example
 * ```ts
 * import Zoom from 'lib-auth/providers/zoom'
 *
 * // AUTH_ZOOM_ID and AUTH_ZOOM_SECRET are read where options are left out.
 * export const providers = [Zoom]
 * ```
 */
export default function Zoom<const Id extends string = ''>(
  options: OAuthUserConfig<ZoomProfile, Id> = {},
): OAuth2Config<ZoomProfile, 'zoom', Id> {
  return {
    id: 'zoom',
    name: 'Zoom',
    type: 'oauth',
    authorization: { url: 'https://zoom.us/oauth/authorize', params: { scope: '' } },
    token: 'https://zoom.us/oauth/token',
    revocation: { url: 'https://zoom.us/oauth/revoke', tokenType: 'access_token' },
    userinfo: 'https://api.zoom.us/v2/users/me',
    profile: (profile) => ({
      id: profile.id,
      name:
        [profile.first_name, profile.last_name].filter(Boolean).join(' ') ||
        (profile.display_name ?? null),
      email: profile.email,
      image: profile.pic_url,
    }),
    style: { brandColor: '#0b5cff' },
    options,
  }
}
