import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Logto ID token. */
export interface LogtoProfile extends Profile {
  sub: string
  name?: string | null
  username?: string | null
  picture?: string | null
  email?: string | null
  email_verified?: boolean
  phone_number?: string | null
  phone_number_verified?: boolean
  /** Requires the scope `urn:logto:scope:organizations`. */
  organizations?: string[]
}

/**
 * Logto (OpenID Connect).
 *
 * `issuer` is the Logto endpoint followed by `/oidc`, `https://<tenant>.logto.app/oidc`. The scope `offline_access`
 * requests a refresh token.
 *
 * `trustEmail` is `false`: administrators and upstream identity providers can set an address without a verification.
 *
 * @see https://docs.logto.io/quick-starts/traditional
 * @example
 * ```ts
 * import Logto from 'lib-auth/providers/logto'
 *
 * export const providers = [Logto({ issuer: 'https://example.logto.app/oidc' })]
 * ```
 */
export default function Logto<const Id extends string = ''>(
  options: OIDCUserConfig<LogtoProfile, Id> = {},
): OIDCConfig<LogtoProfile, 'logto', Id> {
  return {
    id: 'logto',
    name: 'Logto',
    type: 'oidc',
    isIssuer: isSameIssuer,
    authorization: { params: { scope: 'offline_access openid email profile' } },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.username ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? null,
    }),
    options,
  }
}
