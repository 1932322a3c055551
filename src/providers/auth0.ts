import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of an Auth0 ID token. */
export interface Auth0Profile extends Profile {
  sub: string
  nickname: string
  email: string
  email_verified: boolean
  picture: string
}

/**
 * Auth0 (OpenID Connect).
 *
 * `issuer` is the URL of the tenant or of its custom domain, with or without a trailing slash.
 *
 * `trustEmail` is `false`: a tenant passes on claims of its upstream identity providers, and the Auth0 management API
 * can set `email_verified` without a verification.
 *
 * @see https://auth0.com/docs/api/authentication
 * @example
 * ```ts
 * import Auth0 from 'lib-auth/providers/auth0'
 *
 * // AUTH_AUTH0_ID, AUTH_AUTH0_SECRET and AUTH_AUTH0_ISSUER are read where options are left out.
 * export const providers = [Auth0]
 * ```
 */
export default function Auth0<const Id extends string = ''>(
  options: OIDCUserConfig<Auth0Profile, Id> = {},
): OIDCConfig<Auth0Profile, 'auth0', Id> {
  return {
    id: 'auth0',
    name: 'Auth0',
    type: 'oidc',
    // The issuer of Auth0 ends with a slash, but its dashboard shows the domain without one.
    isIssuer: (stated, { issuer }) => stated === issuer || stated === issuer.replace(/\/?$/, '/'),
    style: { brandColor: '#eb5424', icon: () => import('./_icons/auth0.ts') },
    options,
  }
}
