import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Box (`GET /2.0/users/me`). */
export interface BoxProfile extends Profile {
  type: 'user'
  id: string
  name: string
  /** Primary e-mail address. */
  login: string
  avatar_url: string
  status: string
  language: string
  timezone: string
  job_title: string
  phone: string
  created_at: string
  modified_at: string
}

/**
 * Box (OAuth).
 *
 * The scopes are set in the configuration of the application at Box, so the request contains none.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`, and an administrator can create users with an
 * unconfirmed address.
 *
 * @see https://developer.box.com/guides/authentication/oauth2/
 * @example
 * ```ts
 * import Box from 'lib-auth/providers/box'
 *
 * // AUTH_BOX_ID and AUTH_BOX_SECRET are read where options are left out.
 * export const providers = [Box]
 * ```
 */
export default function Box<const Id extends string = ''>(
  options: OAuthUserConfig<BoxProfile, Id> = {},
): OAuth2Config<BoxProfile, 'box', Id> {
  return {
    id: 'box',
    name: 'Box',
    type: 'oauth',
    authorization: 'https://account.box.com/api/oauth2/authorize',
    token: 'https://api.box.com/oauth2/token',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: 'https://api.box.com/2.0/users/me',
    revocation: 'https://api.box.com/oauth2/revoke',
    profile: (profile) => ({
      id: profile.id,
      name: profile.name ?? null,
      email: profile.login ?? null,
      image: profile.avatar_url ?? null,
    }),
    style: { brandColor: '#0075c9', icon: () => import('./_icons/box.ts') },
    options,
  }
}
