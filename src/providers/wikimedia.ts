import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Name of a grant, for example `basic`. */
export type WikimediaGrant = string
/** Name of a group, for example `autoconfirmed`. */
export type WikimediaGroup = string
/** Name of a right, for example `edit`. */
export type WikimediaRight = string

/** User of Wikimedia (`GET /oauth2/resource/profile`). */
export interface WikimediaProfile extends Omit<Profile, 'sub'> {
  /** Id of the central account. */
  sub: string | number
  /** The user can change it. */
  username: string
  editcount: number
  /** Whether `email` is confirmed. */
  confirmed_email?: boolean | null
  blocked: boolean
  /** Time of the registration, `YYYYMMDDhhmmss`. */
  registered: string
  groups: WikimediaGroup[]
  rights: WikimediaRight[]
  grants?: WikimediaGrant[]
  /** Requires a grant that includes the real name. */
  realname?: string
  /** Requires a grant that includes the address. */
  email?: string
}

/**
 * Wikimedia (OAuth).
 *
 * The grants of the registered consumer determine the scopes. An address that the user has not confirmed is left out.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://www.mediawiki.org/wiki/OAuth/For_Developers
 * @example
 * ```ts
 * import Wikimedia from 'lib-auth/providers/wikimedia'
 *
 * // AUTH_WIKIMEDIA_ID and AUTH_WIKIMEDIA_SECRET are read where options are left out.
 * export const providers = [Wikimedia]
 * ```
 */
export default function Wikimedia<const Id extends string = ''>(
  options: OAuthUserConfig<WikimediaProfile, Id> = {},
): OAuth2Config<WikimediaProfile, 'wikimedia', Id> {
  const base = 'https://meta.wikimedia.org/w/rest.php/oauth2'
  return {
    id: 'wikimedia',
    name: 'Wikimedia',
    type: 'oauth',
    authorization: { url: `${base}/authorize`, params: { scope: '' } },
    token: `${base}/access_token`,
    userinfo: `${base}/resource/profile`,
    profile: (profile) => ({
      id: accountId(profile.sub),
      name: profile.username,
      email: profile.confirmed_email === false ? null : (profile.email ?? null),
      image: null,
    }),
    style: { brandColor: '#000', icon: () => import('./_icons/wikimediafoundation.ts') },
    options,
  }
}
