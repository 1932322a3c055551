import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** An address of a Vipps user. */
export interface VippsAddress {
  address_type: string
  country: string
  formatted: string
  postal_code: string
  region: string
  street_address: string
}

/** Userinfo of Vipps. Members other than these require further scopes, and the agreement of Vipps. */
export interface VippsProfile extends Omit<Profile, 'address'> {
  sub: string
  sid?: string
  name: string
  given_name: string
  family_name: string
  email: string
  email_verified: boolean
  phone_number?: string
  birthdate?: string
  /** National identity number. */
  nin?: string
  address?: VippsAddress
  other_addresses?: VippsAddress[]
  accounts?: { account_name: string; account_number: number; bank_name: string }[]
}

/**
 * Vipps MobilePay (OpenID Connect).
 *
 * The sales unit needs the product Login. For the test environment, set
 * `issuer: 'https://apitest.vipps.no/access-management-1.0/access/'`.
 *
 * `trustEmail` is `false`. Set it to `true` if the verification by Vipps is sufficient for your application.
 *
 * @see https://developer.vippsmobilepay.com/docs/APIs/login-api/
 * @example
 * ```ts
 * import Vipps from 'lib-auth/providers/vipps'
 *
 * // AUTH_VIPPS_ID and AUTH_VIPPS_SECRET are read where options are left out.
 * export const providers = [Vipps]
 * ```
 */
export default function Vipps<const Id extends string = ''>(
  options: OIDCUserConfig<VippsProfile, Id> = {},
): OIDCConfig<VippsProfile, 'vipps', Id> {
  return {
    id: 'vipps',
    name: 'Vipps',
    type: 'oidc',
    issuer: 'https://api.vipps.no/access-management-1.0/access/',
    isIssuer: isSameIssuer,
    authorization: { params: { scope: 'openid name email' } },
    // The ID token contains no name and no address.
    idToken: false,
    style: { brandColor: '#f05c18' },
    options,
  }
}
