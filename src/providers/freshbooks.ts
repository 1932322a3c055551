import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Response of FreshBooks (`GET /auth/api/v1/users/me`). */
export interface FreshbooksProfile extends Profile {
  response: {
    id: number
    first_name: string | null
    last_name: string | null
    email: string
    business_memberships?: unknown[]
  }
}

/**
 * FreshBooks (OAuth).
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://www.freshbooks.com/api/authentication
 * @example
 * ```ts
 * import Freshbooks from 'lib-auth/providers/freshbooks'
 *
 * // AUTH_FRESHBOOKS_ID and AUTH_FRESHBOOKS_SECRET are read where options are left out.
 * export const providers = [Freshbooks]
 * ```
 */
export default function Freshbooks<const Id extends string = ''>(
  options: OAuthUserConfig<FreshbooksProfile, Id> = {},
): OAuth2Config<FreshbooksProfile, 'freshbooks', Id> {
  return {
    id: 'freshbooks',
    name: 'Freshbooks',
    type: 'oauth',
    authorization: {
      url: 'https://auth.freshbooks.com/oauth/authorize',
      params: { scope: 'user:profile:read' },
    },
    token: 'https://api.freshbooks.com/auth/oauth/token',
    userinfo: 'https://api.freshbooks.com/auth/api/v1/users/me',
    profile: ({ response }) => ({
      id: accountId(response.id),
      name: [response.first_name, response.last_name].filter(Boolean).join(' ') || null,
      email: response.email,
      image: null,
    }),
    style: { brandColor: '#0075dd' },
    options,
  }
}
