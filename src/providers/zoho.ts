import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import { InvalidConfiguration } from '../core/errors/classes.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Zoho (`GET /oauth/user/info`). */
export interface ZohoProfile extends Profile {
  /** Zoho user id. */
  ZUID: number
  First_Name?: string | null
  Last_Name?: string | null
  Display_Name?: string | null
  Email: string
}

/** A data centre of Zoho: the domain of its console. */
export type ZohoRegion = 'com' | 'eu' | 'in' | 'com.au' | 'jp' | 'ca' | 'com.cn' | 'sa'

/** Options of the Zoho provider. */
export interface ZohoOptions<Id extends string = string> extends OAuthUserConfig<ZohoProfile, Id> {
  /** The data centre of the client and its users. @default 'com' */
  region?: ZohoRegion
}

const HOSTS: ReadonlyMap<string, string> = new Map([
  ...['com', 'eu', 'in', 'com.au', 'jp', 'com.cn', 'sa'].map(
    (region) => [region, `accounts.zoho.${region}`] as const,
  ),
  ['ca', 'accounts.zohocloud.ca'],
])

/**
 * Zoho (OAuth).
 *
 * Register the client in the data centre of its users, and set `region` if it is not `com`.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`, and administrators of an organization add its users.
 *
 * @see https://www.zoho.com/accounts/protocol/oauth/web-server-applications.html
 * @example
 * ```ts
 * import Zoho from 'lib-auth/providers/zoho'
 *
 * // AUTH_ZOHO_ID and AUTH_ZOHO_SECRET are read where options are left out.
 * export const providers = [Zoho({ region: 'eu' })]
 * ```
 */
export default function Zoho<const Id extends string = ''>({
  region = 'com',
  ...options
}: ZohoOptions<Id> = {}): OAuth2Config<ZohoProfile, 'zoho', Id> {
  const host = HOSTS.get(region)
  if (!host)
    throw new InvalidConfiguration(
      `Provider zoho has an unknown region (got "${region}"). Set region to one of ${[...HOSTS.keys()].join(', ')}.`,
    )
  return {
    id: 'zoho',
    name: 'Zoho',
    type: 'oauth',
    authorization: {
      url: `https://${host}/oauth/v2/auth`,
      params: { scope: 'AaaServer.profile.Read' },
    },
    token: `https://${host}/oauth/v2/token`,
    userinfo: `https://${host}/oauth/user/info`,
    revocation: `https://${host}/oauth/v2/token/revoke`,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: (profile) => ({
      id: accountId(profile.ZUID),
      name:
        [profile.First_Name, profile.Last_Name].filter(Boolean).join(' ') ||
        (profile.Display_Name ?? null),
      email: profile.Email,
      image: null,
    }),
    options,
  }
}
