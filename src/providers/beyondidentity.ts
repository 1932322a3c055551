import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Beyond Identity ID token. */
export interface BeyondIdentityProfile extends Profile {
  sub: string
  aud: string | string[]
  email?: string
  exp: number
  iat: number
  iss: string
  name?: string
  preferred_username?: string
}

/**
 * Beyond Identity (OpenID Connect).
 *
 * `issuer` is the URL of the application:
 * `https://auth-<us or eu>.beyondidentity.com/v1/tenants/<tenant>/realms/<realm>/applications/<application>`.
 *
 * `trustEmail` is `false`: administrators of a tenant can set any e-mail address without a verification.
 *
 * @see https://developer.beyondidentity.com/
 * @example
 * ```ts
 * import BeyondIdentity from 'lib-auth/providers/beyondidentity'
 *
 * const tenant = 'https://auth-eu.beyondidentity.com/v1/tenants/0123456789abcdef'
 * export const providers = [
 *   BeyondIdentity({ issuer: `${tenant}/realms/19a95130480dfa79/applications/cb706fbf-49b1-4a92` }),
 * ]
 * ```
 */
export default function BeyondIdentity<const Id extends string = ''>(
  options: OIDCUserConfig<BeyondIdentityProfile, Id> = {},
): OIDCConfig<BeyondIdentityProfile, 'beyondidentity', Id> {
  return {
    id: 'beyondidentity',
    name: 'Beyond Identity',
    type: 'oidc',
    isIssuer: isSameIssuer,
    style: { brandColor: '#5077c5' },
    options,
  }
}
