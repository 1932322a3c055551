import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig, UserinfoRequest } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { subpath } from './_subpath.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User profile of GitHub (`GET /user`). */
export interface GitHubProfile extends Omit<Profile, 'id' | 'email' | 'name'> {
  id: number
  login: string
  name: string | null
  /** The public address; if there is none, a verified one, preferably the primary. */
  email: string | null
  avatar_url: string
  html_url: string
  type: string
  company: string | null
  blog: string | null
  location: string | null
  bio: string | null
  created_at: string
  updated_at: string
}

/** An element of `GET /user/emails`. */
export interface GitHubEmail {
  readonly email: string
  readonly primary: boolean
  readonly verified: boolean
  readonly visibility: 'public' | 'private' | null
}

/** Options of the GitHub provider. */
export interface GitHubOptions<Id extends string = string> extends OAuthUserConfig<
  GitHubProfile,
  Id
> {
  /** A GitHub Enterprise Server instance. `baseUrl` defaults to `https://github.com`. */
  enterprise?: { baseUrl?: string }
}

function isEmail(value: unknown): value is GitHubEmail {
  return typeof value === 'object' && value !== null && 'email' in value && 'verified' in value
}

async function userinfo(user: string, { tokens, provider }: UserinfoRequest): Promise<Profile> {
  const headers = {
    authorization: `Bearer ${tokens.access_token}`,
    accept: 'application/vnd.github+json',
  }
  const url = provider.userinfo?.url ?? user
  const response = await provider.fetch(url, { headers })
  if (!response.ok) throw new Error(`GitHub responded with status ${response.status}.`)
  const profile: Profile = await response.json()
  if (profile.email) return profile
  // A user without a public address: the list of addresses requires the scope user:email.
  const addresses = await provider.fetch(subpath(url, 'emails'), { headers })
  const list: unknown = addresses.ok ? await addresses.json() : []
  const verified = Array.isArray(list) ? list.filter(isEmail).filter((each) => each.verified) : []
  const { email } = verified.find((each) => each.primary) ?? verified[0] ?? { email: null }
  return { ...profile, email }
}

/**
 * GitHub (OAuth).
 *
 * `trustEmail` is `false`: the profile has no `email_verified`, and GitHub Enterprise Server can be configured without
 * e-mail verification.
 *
 * @see https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 * @example
 * ```ts
 * import GitHub from 'lib-auth/providers/github'
 *
 * // AUTH_GITHUB_ID and AUTH_GITHUB_SECRET are read where options are left out.
 * export const providers = [GitHub]
 * ```
 */
export default function GitHub<const Id extends string = ''>({
  enterprise,
  ...options
}: GitHubOptions<Id> = {}): OAuth2Config<GitHubProfile, 'github', Id> {
  const base = enterprise?.baseUrl?.replace(/\/+$/, '') ?? 'https://github.com'
  const user = enterprise?.baseUrl ? `${base}/api/v3/user` : 'https://api.github.com/user'
  return {
    id: 'github',
    name: 'GitHub',
    type: 'oauth',
    // GitHub sends `iss` in the authorization response (RFC 9207), but has no metadata.
    issuer: `${base}/login/oauth`,
    authorization: {
      url: `${base}/login/oauth/authorize`,
      params: { scope: 'read:user user:email' },
    },
    token: `${base}/login/oauth/access_token`,
    userinfo: { url: user, request: (context) => userinfo(user, context) },
    profile: (profile) => ({
      id: accountId(profile.id),
      name: profile.name ?? profile.login,
      email: profile.email,
      image: profile.avatar_url,
    }),
    style: { brandColor: '#24292f', icon: () => import('./_icons/github.ts') },
    options,
  }
}
