import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Google ID token. */
export interface GoogleProfile extends Profile {
  sub: string
  aud: string
  azp: string
  email: string
  email_verified: boolean
  exp: number
  family_name?: string
  given_name: string
  /** Domain of the Google Workspace organization; absent for personal accounts. */
  hd?: string
  iat: number
  iss: string
  name: string
  picture: string
}

/**
 * Google (OpenID Connect).
 *
 * For a refresh token, set `authorization: { params: { access_type: 'offline', prompt: 'consent' } }`. To allow only
 * one organization, compare `profile.hd` in the `signIn` callback; the request parameter `hd` is only a hint.
 *
 * `trustEmail` is `true` for addresses at gmail.com, and where the claim `hd` names the Google Workspace organization. Any other
 * address belongs to another mail service, and may have another owner since Google verified it.
 *
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 * @example
 * ```ts
 * import Google from 'lib-auth/providers/google'
 *
 * // AUTH_GOOGLE_ID and AUTH_GOOGLE_SECRET are read where options are left out.
 * export const providers = [Google]
 * ```
 */
export default function Google<const Id extends string = ''>(
  options: OIDCUserConfig<GoogleProfile, Id> = {},
): OIDCConfig<GoogleProfile, 'google', Id> {
  return {
    id: 'google',
    name: 'Google',
    type: 'oidc',
    issuer: 'https://accounts.google.com',
    trustEmail: ({ email, hd }) => Boolean(hd) || /@gmail\.com$/i.test(email),
    style: { brandColor: '#1a73e8', icon: () => import('./_icons/google.ts') },
    options,
  }
}
