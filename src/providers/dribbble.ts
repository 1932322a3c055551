import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Dribbble (`GET /v2/user`). */
export interface DribbbleProfile extends Omit<Profile, 'id'> {
  id: number
  name: string
  login: string
  html_url: string
  avatar_url: string
  bio: string
  location: string | null
  created_at: string
}

/** Options of the Dribbble provider. */
export interface DribbbleOptions<Id extends string = string> extends OAuthUserConfig<
  DribbbleProfile,
  Id
> {
  /** @default 'public' */
  scope?: 'public' | 'public upload'
}

/**
 * Dribbble (OAuth).
 *
 * Dribbble reports no e-mail address.
 *
 * @see https://developer.dribbble.com/v2/oauth/
 * @example
 * ```ts
 * import Dribbble from 'lib-auth/providers/dribbble'
 *
 * // AUTH_DRIBBBLE_ID and AUTH_DRIBBBLE_SECRET are read where options are left out.
 * export const providers = [Dribbble]
 * ```
 */
export default function Dribbble<const Id extends string = ''>({
  scope = 'public',
  ...options
}: DribbbleOptions<Id> = {}): OAuth2Config<DribbbleProfile, 'dribbble', Id> {
  return {
    id: 'dribbble',
    name: 'Dribbble',
    type: 'oauth',
    authorization: { url: 'https://dribbble.com/oauth/authorize', params: { scope } },
    token: 'https://dribbble.com/oauth/token',
    userinfo: 'https://api.dribbble.com/v2/user',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: (profile) => ({
      id: accountId(profile.id),
      name: profile.name ?? profile.login,
      email: null,
      image: profile.avatar_url,
    }),
    style: { brandColor: '#000', icon: () => import('./_icons/dribbble.ts') },
    options,
  }
}
