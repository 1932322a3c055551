import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Userinfo of the Norwegian BankID. */
export interface BankIDNorwayProfile extends Profile {
  sub: string
  name: string
  given_name: string
  family_name: string
  /** Date, `YYYY-MM-DD`. */
  birthdate: string
  updated_at: number
  email?: string | null
  /** Level of assurance. */
  acr?: string
  /** Authentication method, for example `BID`. */
  amr?: string
}

/**
 * BankID Norge (OpenID Connect).
 *
 * The profile is the userinfo response, a JWT that BankID signs. The parameter `login_hint` selects the kind of
 * BankID. For the test environment, set `issuer: 'https://auth.current.bankid.no/auth/realms/current'`.
 *
 * BankID reports an address only to applications that are allowed to read it. `trustEmail` is `false`: whether the
 * address is verified is not documented.
 *
 * @see https://developer.bankid.no/bankid-with-oidc-provider/
 * @example
 * ```ts
 * import BankIDNorway from 'lib-auth/providers/bankid-no'
 *
 * // AUTH_BANKID_NO_ID and AUTH_BANKID_NO_SECRET are read where options are left out.
 * export const providers = [
 *   BankIDNorway({ authorization: { params: { ui_locales: 'en', login_hint: 'BID' } } }),
 * ]
 * ```
 */
export default function BankIDNorway<const Id extends string = ''>(
  options: OIDCUserConfig<BankIDNorwayProfile, Id> = {},
): OIDCConfig<BankIDNorwayProfile, 'bankid-no', Id> {
  return {
    id: 'bankid-no',
    name: 'BankID Norge',
    type: 'oidc',
    issuer: 'https://auth.bankid.no/auth/realms/prod',
    authorization: { params: { ui_locales: 'no', login_hint: 'BIS' } },
    client: {
      token_endpoint_auth_method: 'client_secret_post',
      userinfo_signed_response_alg: 'RS256',
    },
    idToken: false,
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: null,
    }),
    style: { brandColor: '#39134c' },
    options,
  }
}
