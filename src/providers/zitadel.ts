import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a ZITADEL ID token. */
export interface ZitadelProfile extends Profile {
  sub: string
  amr?: string[]
  auth_time?: number
  azp?: string
  email: string
  email_verified: boolean
  family_name?: string
  given_name?: string
  name: string
  nickname?: string
  picture?: string
  preferred_username: string
}

/**
 * ZITADEL (OpenID Connect).
 *
 * `issuer` is the URL of the instance, `https://<instance>.<region>.zitadel.cloud`, or its custom domain. Enable "User
 * Info inside ID Token" in the token settings of the application: the ID token contains no name and address otherwise.
 *
 * `trustEmail` is `false`: administrators of an organization and its upstream identity providers can set
 * `email_verified` without a verification. Set it to `true` for an instance of your own that verifies every address.
 *
 * @see https://zitadel.com/docs/apis/openidoauth/endpoints
 * @example
 * ```ts
 * import ZITADEL from 'lib-auth/providers/zitadel'
 *
 * export const providers = [ZITADEL({ issuer: 'https://acme-abc123.us1.zitadel.cloud' })]
 * ```
 */
export default function ZITADEL<const Id extends string = ''>(
  options: OIDCUserConfig<ZitadelProfile, Id> = {},
): OIDCConfig<ZitadelProfile, 'zitadel', Id> {
  return {
    id: 'zitadel',
    name: 'ZITADEL',
    type: 'oidc',
    isIssuer: isSameIssuer,
    options,
  }
}
