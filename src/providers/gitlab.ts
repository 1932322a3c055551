import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { instanceUrl } from './_instance.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User profile of GitLab (`GET /api/v4/user`). */
export interface GitLabProfile extends Omit<Profile, 'id'> {
  id: number
  sub?: string
  username: string
  email: string
  name: string
  state: string
  avatar_url: string
  web_url: string
  created_at: string
  confirmed_at: string
  two_factor_enabled: boolean
}

/** Options of the GitLab provider. */
export interface GitLabOptions<Id extends string = string> extends OAuthUserConfig<
  GitLabProfile,
  Id
> {
  /** URL of a self-managed instance. @default 'https://gitlab.com' */
  baseUrl?: string
}

/**
 * GitLab (OAuth).
 *
 * `trustEmail` is `false`: the profile has no `email_verified`, and an administrator can create users with an
 * unconfirmed address.
 *
 * @see https://docs.gitlab.com/api/oauth2/
 * @example
 * ```ts
 * import GitLab from 'lib-auth/providers/gitlab'
 *
 * // AUTH_GITLAB_ID and AUTH_GITLAB_SECRET are read where options are left out.
 * export const providers = [GitLab]
 * ```
 */
export default function GitLab<const Id extends string = ''>({
  baseUrl = 'https://gitlab.com',
  ...options
}: GitLabOptions<Id> = {}): OAuth2Config<GitLabProfile, 'gitlab', Id> {
  const base = instanceUrl(baseUrl, 'baseUrl of the GitLab provider', 'https://gitlab.com')
  return {
    id: 'gitlab',
    name: 'GitLab',
    type: 'oauth',
    authorization: { url: `${base}/oauth/authorize`, params: { scope: 'read_user' } },
    token: `${base}/oauth/token`,
    userinfo: `${base}/api/v4/user`,
    revocation: `${base}/oauth/revoke`,
    profile: (profile) => ({
      id: accountId(profile.sub ?? profile.id),
      name: profile.name ?? profile.username,
      email: profile.email,
      image: profile.avatar_url,
    }),
    style: { brandColor: '#fc6d26', icon: () => import('./_icons/gitlab.ts') },
    options,
  }
}
