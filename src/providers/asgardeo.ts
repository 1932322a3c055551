import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of an Asgardeo ID token. */
export interface AsgardeoProfile extends Profile {
  sub: string
  aud: string
  azp: string
  email?: string
  exp: number
  iat: number
  iss: string
  given_name?: string
  family_name?: string
  preferred_username?: string
  /** Name of the organization. */
  org_name?: string
  picture?: string
}

/**
 * Asgardeo (OpenID Connect).
 *
 * `issuer` is `https://api.asgardeo.io/t/<organization>/oauth2/token`. The option can leave out `/oauth2/token`.
 * An ID token contains an address only if the application requests the user attribute Email.
 *
 * `trustEmail` is `false`: administrators of an organization can set any e-mail address without a verification.
 *
 * @see https://wso2.com/asgardeo/docs/guides/authentication/
 * @example
 * ```ts
 * import Asgardeo from 'lib-auth/providers/asgardeo'
 *
 * export const providers = [
 *   Asgardeo({ issuer: 'https://api.asgardeo.io/t/acme/oauth2/token' }),
 * ]
 * ```
 */
export default function Asgardeo<const Id extends string = ''>(
  options: OIDCUserConfig<AsgardeoProfile, Id> = {},
): OIDCConfig<AsgardeoProfile, 'asgardeo', Id> {
  const organization = options.issuer?.replace(/\/*$/, '').replace(/\/oauth2\/token$/, '')
  return {
    id: 'asgardeo',
    name: 'Asgardeo',
    type: 'oidc',
    wellKnown: organization && `${organization}/oauth2/token/.well-known/openid-configuration`,
    isIssuer: isSameIssuer,
    style: { brandColor: '#000000' },
    options,
  }
}
