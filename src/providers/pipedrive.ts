import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Response of Pipedrive (`GET /v1/users/me`). */
export interface PipedriveProfile extends Profile {
  success: boolean
  data: {
    id: number
    name: string
    email: string
    icon_url: string | null
    is_admin: number
    active_flag: boolean
    company_id: number
    company_name: string
    company_domain: string
  }
}

/**
 * Pipedrive (OAuth).
 *
 * The scopes are set in the application in the Developer Hub of Pipedrive, so the request contains none.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`, and an administrator can create users with an unconfirmed
 * address.
 *
 * @see https://pipedrive.readme.io/docs/marketplace-oauth-authorization
 * @example
 * ```ts
 * import Pipedrive from 'lib-auth/providers/pipedrive'
 *
 * // AUTH_PIPEDRIVE_ID and AUTH_PIPEDRIVE_SECRET are read where options are left out.
 * export const providers = [Pipedrive]
 * ```
 */
export default function Pipedrive<const Id extends string = ''>(
  options: OAuthUserConfig<PipedriveProfile, Id> = {},
): OAuth2Config<PipedriveProfile, 'pipedrive', Id> {
  return {
    id: 'pipedrive',
    name: 'Pipedrive',
    type: 'oauth',
    authorization: 'https://oauth.pipedrive.com/oauth/authorize',
    token: 'https://oauth.pipedrive.com/oauth/token',
    userinfo: 'https://api.pipedrive.com/v1/users/me',
    revocation: 'https://oauth.pipedrive.com/oauth/revoke',
    profile: ({ data }) => ({
      id: accountId(data.id),
      name: data.name ?? null,
      email: data.email ?? null,
      image: data.icon_url ?? null,
    }),
    options,
  }
}
