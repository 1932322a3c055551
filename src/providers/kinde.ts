import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Kinde ID token. */
export interface KindeProfile extends Profile {
  sub: string
  aud: string[]
  azp: string
  name?: string
  given_name?: string
  family_name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  /** Codes of the organizations of the user. */
  org_codes?: string[]
}

/**
 * Kinde (OpenID Connect).
 *
 * `issuer` is the domain of the Kinde business, `https://<subdomain>.kinde.com`, or its custom domain.
 *
 * `trustEmail` is `false`: a business adds users through the management API and passes on claims of its enterprise
 * connections.
 *
 * @see https://docs.kinde.com/developer-tools/about/using-kinde-without-an-sdk/
 * @example
 * ```ts
 * import Kinde from 'lib-auth/providers/kinde'
 *
 * export const providers = [Kinde({ issuer: 'https://example.kinde.com' })]
 * ```
 */
export default function Kinde<const Id extends string = ''>(
  options: OIDCUserConfig<KindeProfile, Id> = {},
): OIDCConfig<KindeProfile, 'kinde', Id> {
  return {
    id: 'kinde',
    name: 'Kinde',
    type: 'oidc',
    isIssuer: isSameIssuer,
    endSession: { redirectParameter: 'redirect' },
    style: { brandColor: '#ffffff' },
    options,
  }
}
