import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Userinfo of Intuit (`GET /v1/openid_connect/userinfo`). */
export interface IntuitProfile extends Profile {
  sub: string
  givenName?: string
  familyName?: string
  /** Requires the scope `email`. */
  email?: string
  emailVerified?: boolean
  /** Requires the scope `phone`. */
  phoneNumber?: string
  phoneNumberVerified?: boolean
}

/**
 * Intuit (OpenID Connect).
 *
 * The ID token contains neither name nor address, so the profile is the userinfo response. For development keys, set
 * `userinfo: 'https://sandbox-accounts.platform.intuit.com/v1/openid_connect/userinfo'`.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`; Intuit names the claim `emailVerified`.
 *
 * @see https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/openid-connect
 * @example
 * ```ts
 * import Intuit from 'lib-auth/providers/intuit'
 *
 * // AUTH_INTUIT_ID and AUTH_INTUIT_SECRET are read where options are left out.
 * export const providers = [Intuit]
 * ```
 */
export default function Intuit<const Id extends string = ''>(
  options: OIDCUserConfig<IntuitProfile, Id> = {},
): OIDCConfig<IntuitProfile, 'intuit', Id> {
  return {
    id: 'intuit',
    name: 'Intuit',
    type: 'oidc',
    // The metadata document has another host and path than the issuer.
    issuer: 'https://oauth.platform.intuit.com/op/v1',
    authorization: 'https://appcenter.intuit.com/connect/oauth2',
    token: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
    userinfo: 'https://accounts.platform.intuit.com/v1/openid_connect/userinfo',
    jwks_endpoint: 'https://oauth.platform.intuit.com/op/v1/jwks',
    idToken: false,
    // Intuit documents neither PKCE nor the claim `nonce`.
    checks: ['state'],
    profile: (profile) => ({
      id: profile.sub,
      name: [profile.givenName, profile.familyName].filter(Boolean).join(' ') || null,
      email: profile.email ?? null,
      image: null,
    }),
    options,
  }
}
