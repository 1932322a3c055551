import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { instanceUrl } from './_instance.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Gitea or Forgejo (`GET /api/v1/user`). */
export interface GiteaProfile extends Omit<Profile, 'id'> {
  id: number
  /** User name, which the user can change. */
  login: string
  /** Display name; empty if the user has not set it. */
  full_name: string
  email: string
  avatar_url: string
  is_admin: boolean
  created: string
}

/** Options of the Gitea provider. */
export interface GiteaOptions<Id extends string = string> extends OAuthUserConfig<
  GiteaProfile,
  Id
> {
  /** URL of the instance, with its path if it has one. */
  baseUrl: string
}

/**
 * Gitea and Forgejo (OAuth).
 *
 * `trustEmail` is `false`: the profile has no `email_verified`, and an administrator decides whether addresses are
 * confirmed.
 *
 * @see https://docs.gitea.com/development/oauth2-provider
 * @example
 * ```ts
 * import Gitea from 'lib-auth/providers/gitea'
 *
 * export const providers = [Gitea({ baseUrl: 'https://git.example.com' })]
 * ```
 */
export default function Gitea<const Id extends string = ''>({
  baseUrl,
  ...options
}: GiteaOptions<Id>): OAuth2Config<GiteaProfile, 'gitea', Id> {
  const base = instanceUrl(baseUrl, 'baseUrl of the Gitea provider', 'https://git.example.com')
  return {
    id: 'gitea',
    name: 'Gitea',
    type: 'oauth',
    authorization: { url: `${base}/login/oauth/authorize`, params: { scope: 'read:user' } },
    token: `${base}/login/oauth/access_token`,
    userinfo: `${base}/api/v1/user`,
    profile: (profile) => ({
      id: accountId(profile.id),
      name: profile.full_name || profile.login,
      email: profile.email,
      image: profile.avatar_url,
    }),
    style: { icon: () => import('./_icons/gitea.ts') },
    options,
  }
}
