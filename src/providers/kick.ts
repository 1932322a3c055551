import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** A user of Kick. */
export interface KickUser {
  user_id: number
  name: string
  email?: string | null
  profile_picture?: string | null
}

/** Response of Kick (`GET /public/v1/users`): the list contains the user of the access token. */
export interface KickProfile extends Profile {
  data: readonly KickUser[]
  message: string
}

function readUser({ data: [user] }: KickProfile): KickUser {
  if (user) return user
  throw new Error('Kick returned no user.')
}

/**
 * Kick (OAuth).
 *
 * The account is identified by `user_id`; the user can change `name`.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://docs.kick.com/getting-started/generating-tokens-oauth2-flow
 * @example
 * ```ts
 * import Kick from 'lib-auth/providers/kick'
 *
 * // AUTH_KICK_ID and AUTH_KICK_SECRET are read where options are left out.
 * export const providers = [Kick]
 * ```
 */
export default function Kick<const Id extends string = ''>(
  options: OAuthUserConfig<KickProfile, Id> = {},
): OAuth2Config<KickProfile, 'kick', Id> {
  return {
    id: 'kick',
    name: 'Kick',
    type: 'oauth',
    authorization: { url: 'https://id.kick.com/oauth/authorize', params: { scope: 'user:read' } },
    token: 'https://id.kick.com/oauth/token',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: 'https://api.kick.com/public/v1/users',
    profile: (profile) => {
      const { user_id, name, email, profile_picture } = readUser(profile)
      return {
        id: accountId(user_id),
        name,
        email: email || null,
        image: profile_picture || null,
      }
    },
    style: { icon: () => import('./_icons/kick.ts') },
    options,
  }
}
