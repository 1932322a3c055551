import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Userinfo of Autodesk Platform Services. */
export interface AutodeskProfile extends Profile {
  sub: string
  name: string
  given_name: string
  family_name: string
  preferred_username: string
  email: string
  email_verified: boolean
  picture?: string
  locale?: string
  updated_at?: number
}

/**
 * Autodesk Platform Services (OpenID Connect).
 *
 * The profile is the userinfo response, because the ID token contains only `sub`. For a client without a secret, set
 * `client: { token_endpoint_auth_method: 'none' }`.
 *
 * `trustEmail` is `false`: Autodesk does not document when it sets `email_verified`.
 *
 * @see https://aps.autodesk.com/en/docs/oauth/v2/developers_guide/overview/
 * @example
 * ```ts
 * import Autodesk from 'lib-auth/providers/autodesk'
 *
 * // AUTH_AUTODESK_ID and AUTH_AUTODESK_SECRET are read where options are left out.
 * export const providers = [Autodesk]
 * ```
 */
export default function Autodesk<const Id extends string = ''>(
  options: OIDCUserConfig<AutodeskProfile, Id> = {},
): OIDCConfig<AutodeskProfile, 'autodesk', Id> {
  return {
    id: 'autodesk',
    name: 'Autodesk Platform Services',
    type: 'oidc',
    issuer: 'https://developer.api.autodesk.com',
    authorization: { params: { scope: 'openid user-profile:read' } },
    idToken: false,
    style: { icon: () => import('./_icons/autodesk.ts') },
    options,
  }
}
