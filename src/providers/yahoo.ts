import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Userinfo of Yahoo. */
export interface YahooProfile extends Profile {
  sub: string
  name: string
  given_name?: string
  family_name?: string
  nickname?: string
  locale?: string
  email?: string
  email_verified?: boolean
  picture?: string
  profile_images?: Record<string, string>
}

/**
 * Yahoo (OpenID Connect).
 *
 * The app needs the OpenID Connect permissions Email and Profile. The callback URL must be https, and cannot be
 * `localhost`.
 *
 * `trustEmail` is `false`: Yahoo does not document how it verifies addresses of other mail services.
 *
 * @see https://developer.yahoo.com/sign-in-with-yahoo/
 * @example
 * ```ts
 * import Yahoo from 'lib-auth/providers/yahoo'
 *
 * // AUTH_YAHOO_ID and AUTH_YAHOO_SECRET are read where options are left out.
 * export const providers = [Yahoo]
 * ```
 */
export default function Yahoo<const Id extends string = ''>(
  options: OIDCUserConfig<YahooProfile, Id> = {},
): OIDCConfig<YahooProfile, 'yahoo', Id> {
  return {
    id: 'yahoo',
    name: 'Yahoo',
    type: 'oidc',
    issuer: 'https://api.login.yahoo.com',
    checks: ['state', 'nonce'],
    idToken: false,
    // The metadata name it `token_revocation_endpoint`.
    revocation: 'https://api.login.yahoo.com/oauth2/revoke',
    options,
  }
}
