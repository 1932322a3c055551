import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of an Okta ID token. */
export interface OktaProfile extends Profile {
  iss: string
  ver: number
  sub: string
  aud: string
  iat: number
  exp: number
  jti: string
  auth_time: number
  /** Methods of the authentication, for example `pwd` and `mfa`. */
  amr: string[]
  /** Id of the identity provider of the user in the Okta organization. */
  idp: string
  name: string
  email: string
  email_verified: boolean
  preferred_username: string
  nickname?: string
  given_name?: string
  middle_name?: string
  family_name?: string
  profile?: string
  zoneinfo?: string
  locale?: string
  updated_at?: number
}

/**
 * Okta (OpenID Connect).
 *
 * `issuer` is the issuer URI of an authorization server, `https://<domain>/oauth2/<id>` (`default` for the first one), or
 * the URL of the organization itself.
 *
 * `trustEmail` is `false`: administrators of an organization can set any e-mail address without a verification.
 *
 * @see https://developer.okta.com/docs/reference/api/oidc/
 * @example
 * ```ts
 * import Okta from 'lib-auth/providers/okta'
 *
 * // AUTH_OKTA_ID, AUTH_OKTA_SECRET and AUTH_OKTA_ISSUER are read where options are left out.
 * export const providers = [Okta]
 * ```
 */
export default function Okta<const Id extends string = ''>(
  options: OIDCUserConfig<OktaProfile, Id> = {},
): OIDCConfig<OktaProfile, 'okta', Id> {
  return {
    id: 'okta',
    name: 'Okta',
    type: 'oidc',
    isIssuer: isSameIssuer,
    style: { brandColor: '#000000', icon: () => import('./_icons/okta.ts') },
    options,
  }
}
