import type { OAuth2Config, OAuthUserConfig, UserinfoRequest } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { subpath } from './_subpath.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Nextcloud (`GET /ocs/v1.php/cloud/users/{userid}`). */
export interface NextcloudProfile extends Profile {
  /** User name. It cannot be changed. */
  id: string
  displayname: string
  email: string | null
  enabled?: boolean
  /** In milliseconds since the epoch. */
  lastLogin?: number
  groups: string[]
  quota?: Record<string, unknown>
  phone?: string
  language?: string
  backend?: string
  /** URL of the avatar, which the provider module adds. */
  avatar?: string
}

/** A response of the Open Collaboration Services API. */
interface OcsResponse {
  readonly ocs?: {
    readonly meta?: { readonly statuscode?: number }
    readonly data?: Profile
  }
}

function avatarUrl(base: string | undefined, user: unknown): string {
  return `${base}/avatar/${encodeURIComponent(String(user))}/512`
}

function usersUrl(base: string | undefined): string {
  return `${base}/ocs/v1.php/cloud/users`
}

async function userinfo({ tokens, provider }: UserinfoRequest): Promise<Profile> {
  const { user_id: user } = tokens
  if (typeof user !== 'string' || user === '') throw new Error('Nextcloud returned no user_id.')
  const base = provider.issuer?.replace(/\/+$/, '')
  const url = subpath(provider.userinfo?.url ?? usersUrl(base), encodeURIComponent(user))
  const headers = {
    authorization: `Bearer ${tokens.access_token}`,
    accept: 'application/json',
    'OCS-APIRequest': 'true',
  }
  const response = await provider.fetch(url, { headers })
  if (!response.ok) throw new Error(`Nextcloud responded with status ${response.status}.`)
  const { ocs }: OcsResponse = await response.json()
  // Version 1 of the API reports errors with status 200.
  if (ocs?.meta?.statuscode !== 100 || !ocs.data)
    throw new Error(`Nextcloud responded with OCS status ${ocs?.meta?.statuscode ?? 'unknown'}.`)
  return { ...ocs.data, avatar: avatarUrl(base, ocs.data.id) }
}

/**
 * Nextcloud (OAuth).
 *
 * `issuer` is the URL of the server, with its path if it has one. An access token of Nextcloud has no scope: it gives access to all data of the
 * user. The user name is appended to `userinfo.url`.
 *
 * `trustEmail` is `false`: users and administrators can set an address without a verification.
 *
 * @see https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html
 * @example
 * ```ts
 * import Nextcloud from 'lib-auth/providers/nextcloud'
 *
 * export const providers = [Nextcloud({ issuer: 'https://cloud.example.com' })]
 * ```
 */
export default function Nextcloud<const Id extends string = ''>(
  options: OAuthUserConfig<NextcloudProfile, Id> = {},
): OAuth2Config<NextcloudProfile, 'nextcloud', Id> {
  const base = options.issuer?.replace(/\/+$/, '') ?? '{issuer}'
  return {
    id: 'nextcloud',
    name: 'Nextcloud',
    type: 'oauth',
    authorization: `${base}/apps/oauth2/authorize`,
    token: `${base}/apps/oauth2/api/v1/token`,
    userinfo: { url: usersUrl(base), request: userinfo },
    profile: (profile) => ({
      id: profile.id,
      name: profile.displayname || profile.id,
      email: profile.email || null,
      image: profile.avatar ?? avatarUrl(base, profile.id),
    }),
    style: { brandColor: '#ffffff', icon: () => import('./_icons/nextcloud.ts') },
    options,
  }
}
