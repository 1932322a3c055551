import type { OIDCConfig, OIDCUserConfig } from '../config/provider.ts'
import type { Profile } from '../types.ts'

/** Claims of an Auth0 ID token. */
export interface Auth0Profile extends Profile {
  sub: string
  nickname: string
  email: string
  email_verified: boolean
  picture: string
}

/**
 * Auth0, by OpenID Connect.
 *
 * `issuer` is the URL of the tenant or of its custom domain, with or without the slash at its end.
 *
 * `trustEmail` stays `false`: a tenant passes on what its upstream identity providers state, and its management API sets
 * `email_verified` without a verification.
 *
 * @see https://auth0.com/docs/api/authentication
 * @example
 * ```ts
 * import Auth0 from 'lib-auth/providers/auth0'
 *
 * export const providers = [Auth0({ issuer: 'https://tenant.eu.auth0.com' })]
 * ```
 */
export default function Auth0(
  options: OIDCUserConfig<Auth0Profile> = {},
): OIDCConfig<Auth0Profile> {
  return {
    id: 'auth0',
    name: 'Auth0',
    type: 'oidc',
    // Auth0 ends its issuer with a slash, and shows it without one where people copy it from.
    isIssuer: (stated, { issuer }) => stated === issuer || stated === issuer.replace(/\/?$/, '/'),
    style: { brandColor: '#eb5424' },
    options,
  }
}
