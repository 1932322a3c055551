import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { userinfoEndpoint } from './_userinfo.ts'
import { bearerRevocation } from './_revocation.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Account of Dropbox (`POST /2/users/get_current_account`). */
export interface DropboxProfile extends Omit<Profile, 'name'> {
  account_id: string
  name: {
    given_name: string
    surname: string
    familiar_name: string
    display_name: string
    abbreviated_name: string
  }
  email: string
  email_verified: boolean
  disabled: boolean
  locale: string
  /** Absent if the user has no photo. */
  profile_photo_url?: string
  country?: string
  team?: { id: string; name: string }
}

/**
 * Dropbox (OAuth).
 *
 * Requests a refresh token with `token_access_type=offline`; access tokens expire after four hours.
 *
 * `trustEmail` is `false`: administrators of a team can set the address of a member.
 *
 * @see https://developers.dropbox.com/oauth-guide
 * @example
 * ```ts
 * import Dropbox from 'lib-auth/providers/dropbox'
 *
 * // AUTH_DROPBOX_ID and AUTH_DROPBOX_SECRET are read where options are left out.
 * export const providers = [Dropbox]
 * ```
 */
export default function Dropbox<const Id extends string = ''>(
  options: OAuthUserConfig<DropboxProfile, Id> = {},
): OAuth2Config<DropboxProfile, 'dropbox', Id> {
  return {
    id: 'dropbox',
    name: 'Dropbox',
    type: 'oauth',
    authorization: {
      url: 'https://www.dropbox.com/oauth2/authorize',
      params: { token_access_type: 'offline', scope: 'account_info.read' },
    },
    token: 'https://api.dropboxapi.com/oauth2/token',
    revocation: bearerRevocation('https://api.dropboxapi.com/2/auth/token/revoke'),
    userinfo: userinfoEndpoint('Dropbox', {
      url: 'https://api.dropboxapi.com/2/users/get_current_account',
      // Without a body and a content type, as the API requires for functions without arguments.
      method: 'POST',
    }),
    profile: (profile) => ({
      id: profile.account_id,
      name: profile.name?.display_name,
      email: profile.email,
      image: profile.profile_photo_url,
    }),
    style: { brandColor: '#0061fe', icon: () => import('./_icons/dropbox.ts') },
    options,
  }
}
