import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of DonationAlerts (`GET /api/v1/user/oauth`). */
export interface DonationAlertsProfile extends Profile {
  data: {
    id: number
    /** Name of the user in URLs. */
    code: string
    name: string
    avatar: string
    email: string
    /** Token for the connection to Centrifugo; a secret. */
    socket_connection_token?: string
  }
}

/**
 * DonationAlerts (OAuth).
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://www.donationalerts.com/apidoc
 * @example
 * ```ts
 * import DonationAlerts from 'lib-auth/providers/donation-alerts'
 *
 * // AUTH_DONATION_ALERTS_ID and AUTH_DONATION_ALERTS_SECRET are read where options are left out.
 * export const providers = [DonationAlerts]
 * ```
 */
export default function DonationAlerts<const Id extends string = ''>(
  options: OAuthUserConfig<DonationAlertsProfile, Id> = {},
): OAuth2Config<DonationAlertsProfile, 'donation-alerts', Id> {
  return {
    id: 'donation-alerts',
    name: 'DonationAlerts',
    type: 'oauth',
    authorization: {
      url: 'https://www.donationalerts.com/oauth/authorize',
      params: { scope: 'oauth-user-show' },
    },
    token: 'https://www.donationalerts.com/oauth/token',
    userinfo: 'https://www.donationalerts.com/api/v1/user/oauth',
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ data }) => ({
      id: accountId(data.id),
      name: data.name,
      email: data.email,
      image: data.avatar,
    }),
    options,
  }
}
