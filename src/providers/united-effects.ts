import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a United Effects ID token. */
export interface UnitedEffectsProfile extends Profile {
  sub: string
  email: string
  email_verified: boolean
}

/**
 * United Effects (OpenID Connect).
 *
 * `issuer` is the URL of the auth group, `https://auth.unitedeffects.com/<auth group id>`. It is also sent as
 * `resource` (RFC 8707).
 *
 * `trustEmail` is `false`: administrators of an auth group can set the address of a user.
 *
 * @see https://docs.unitedeffects.com/
 * @example
 * ```ts
 * import UnitedEffects from 'lib-auth/providers/united-effects'
 *
 * export const providers = [
 *   UnitedEffects({ issuer: 'https://auth.unitedeffects.com/YQpbQV5dbW-224dCovz-3' }),
 * ]
 * ```
 */
export default function UnitedEffects<const Id extends string = ''>(
  options: OIDCUserConfig<UnitedEffectsProfile, Id> = {},
): OIDCConfig<UnitedEffectsProfile, 'united-effects', Id> {
  return {
    id: 'united-effects',
    name: 'United Effects',
    type: 'oidc',
    authorization: { params: { resource: '{issuer}' } },
    isIssuer: isSameIssuer,
    options,
  }
}
