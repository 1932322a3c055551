import type { OAuth2Config, OAuthUserConfig, UserinfoRequest } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { subpath } from './_subpath.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Bitbucket (`GET /2.0/user`). */
export interface BitbucketProfile extends Profile {
  account_id: string
  uuid: string
  display_name: string
  nickname: string
  /** Bitbucket reports it only for the user who signs in. */
  username?: string
  /** The confirmed primary address, from `GET /2.0/user/emails`. */
  email: string | null
  links: {
    avatar?: { href: string }
    html?: { href: string }
  }
  account_status: string
  created_on: string
}

interface Address {
  readonly email: string
  readonly is_primary: boolean
  readonly is_confirmed: boolean
}

const USER = 'https://api.bitbucket.org/2.0/user'

function isAddress(value: unknown): value is Address {
  return typeof value === 'object' && value !== null && 'email' in value && 'is_confirmed' in value
}

async function userinfo({ tokens, provider }: UserinfoRequest): Promise<Profile> {
  const headers = { authorization: `Bearer ${tokens.access_token}`, accept: 'application/json' }
  const url = provider.userinfo?.url ?? USER
  const response = await provider.fetch(url, { headers })
  if (!response.ok) throw new Error(`Bitbucket responded with status ${response.status}.`)
  const profile: Profile = await response.json()
  // Requires the scope `email`.
  const addresses = await provider.fetch(subpath(url, 'emails'), { headers })
  const list: { values?: unknown } | null = addresses.ok ? await addresses.json() : null
  const known = Array.isArray(list?.values) ? list.values.filter(isAddress) : []
  const { email } = known.find((each) => each.is_primary && each.is_confirmed) ?? { email: null }
  return { ...profile, email }
}

/**
 * Bitbucket (OAuth).
 *
 * Give the OAuth consumer of your workspace the permissions Account: Read and Account: Email.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`. Only a confirmed address is reported.
 *
 * @see https://developer.atlassian.com/cloud/bitbucket/rest/intro/#authentication
 * @example
 * ```ts
 * import Bitbucket from 'lib-auth/providers/bitbucket'
 *
 * // AUTH_BITBUCKET_ID and AUTH_BITBUCKET_SECRET are read where options are left out.
 * export const providers = [Bitbucket]
 * ```
 */
export default function Bitbucket<const Id extends string = ''>(
  options: OAuthUserConfig<BitbucketProfile, Id> = {},
): OAuth2Config<BitbucketProfile, 'bitbucket', Id> {
  return {
    id: 'bitbucket',
    name: 'Bitbucket',
    type: 'oauth',
    authorization: {
      url: 'https://bitbucket.org/site/oauth2/authorize',
      params: { scope: 'account email' },
    },
    token: 'https://bitbucket.org/site/oauth2/access_token',
    userinfo: { url: USER, request: userinfo },
    profile: (profile) => ({
      id: profile.account_id,
      name: profile.display_name ?? profile.username ?? null,
      email: profile.email,
      image: profile.links?.avatar?.href ?? null,
    }),
    style: { brandColor: '#205081', icon: () => import('./_icons/bitbucket.ts') },
    options,
  }
}
