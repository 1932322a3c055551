import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Paybin ID token. */
export interface PaybinProfile extends Profile {
  sub: string
  email: string
  email_verified?: boolean
  name?: string
  preferred_username?: string
  picture?: string
}

/**
 * Paybin (OpenID Connect).
 *
 * `trustEmail` is `false`: Paybin does not document how it verifies addresses.
 *
 * @see https://paybin.io/
 * @example
 * ```ts
 * import Paybin from 'lib-auth/providers/paybin'
 *
 * // AUTH_PAYBIN_ID and AUTH_PAYBIN_SECRET are read where options are left out.
 * export const providers = [Paybin]
 * ```
 */
export default function Paybin<const Id extends string = ''>(
  options: OIDCUserConfig<PaybinProfile, Id> = {},
): OIDCConfig<PaybinProfile, 'paybin', Id> {
  return {
    id: 'paybin',
    name: 'Paybin',
    type: 'oidc',
    issuer: 'https://idp.paybin.io',
    isIssuer: isSameIssuer,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    options,
  }
}
