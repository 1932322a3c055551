import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Descope ID token. */
export interface DescopeProfile extends Profile {
  sub: string
  /** The project. */
  aud: string | string[]
  exp: number
  iat: number
  iss: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
}

/**
 * Descope (OpenID Connect).
 *
 * `clientId` is the project id, and `clientSecret` is an access key. `issuer` defaults to `https://api.descope.com/<project id>`.
 *
 * `trustEmail` is `false`: a project passes on claims of its upstream identity providers, and its administrators can set
 * any e-mail address without a verification.
 *
 * @see https://docs.descope.com/getting-started/oidc-endpoints
 * @example
 * ```ts
 * import Descope from 'lib-auth/providers/descope'
 *
 * // AUTH_DESCOPE_ID and AUTH_DESCOPE_SECRET are read where options are left out.
 * export const providers = [Descope]
 * ```
 */
export default function Descope<const Id extends string = ''>(
  options: OIDCUserConfig<DescopeProfile, Id> = {},
): OIDCConfig<DescopeProfile, 'descope', Id> {
  const { clientId } = options
  return {
    id: 'descope',
    name: 'Descope',
    type: 'oidc',
    issuer: `https://api.descope.com/${clientId ?? '{clientId}'}`,
    isIssuer: isSameIssuer,
    style: { brandColor: '#1c1c23' },
    options,
  }
}
