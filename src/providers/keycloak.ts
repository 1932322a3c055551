import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Keycloak ID token. */
export interface KeycloakProfile extends Profile {
  sub: string
  aud: string
  azp: string
  email: string
  email_verified: boolean
  exp: number
  family_name: string
  given_name: string
  iat: number
  iss: string
  name: string
  preferred_username: string
  /** Session id at Keycloak. */
  sid: string
}

/**
 * Keycloak (OpenID Connect).
 *
 * `issuer` is the URL of the realm, `https://<host>/realms/<realm>`.
 *
 * `trustEmail` is `false`: administrators of a realm and its upstream identity providers can set `email_verified`
 * without a verification. Set it to `true` for a realm of your own that verifies every address.
 *
 * @see https://www.keycloak.org/securing-apps/oidc-layers
 * @example
 * ```ts
 * import Keycloak from 'lib-auth/providers/keycloak'
 *
 * // AUTH_KEYCLOAK_ID, AUTH_KEYCLOAK_SECRET and AUTH_KEYCLOAK_ISSUER are read where options are left out.
 * export const providers = [Keycloak]
 * ```
 */
export default function Keycloak<const Id extends string = ''>(
  options: OIDCUserConfig<KeycloakProfile, Id> = {},
): OIDCConfig<KeycloakProfile, 'keycloak', Id> {
  return {
    id: 'keycloak',
    name: 'Keycloak',
    type: 'oidc',
    style: { brandColor: '#428bca' },
    options,
  }
}
