import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Account of Mastodon (`GET /api/v1/accounts/verify_credentials`). */
export interface MastodonProfile extends Profile {
  /** Id of the account on its instance. */
  id: string
  username: string
  acct: string
  display_name: string
  locked: boolean
  bot: boolean
  created_at: string
  /** Biography as HTML. */
  note: string
  url: string
  avatar: string
  /** URL of a still picture if `avatar` is animated. */
  avatar_static: string
  header: string
  header_static: string
  followers_count: number
  following_count: number
  statuses_count: number
  last_status_at: string | null
}

/**
 * Mastodon (OAuth).
 *
 * `issuer` is the URL of the instance; each instance needs its own client. Mastodon reports no e-mail address.
 *
 * The scope is `read:accounts`. Set `authorization: { params: { scope: 'profile' } }` if the application at Mastodon (4.3
 * or later) has only the scope `profile`.
 *
 * @see https://docs.joinmastodon.org/spec/oauth/
 * @example
 * ```ts
 * import Mastodon from 'lib-auth/providers/mastodon'
 *
 * export const providers = [Mastodon({ issuer: 'https://mastodon.social' })]
 * ```
 */
export default function Mastodon<const Id extends string = ''>(
  options: OAuthUserConfig<MastodonProfile, Id> = {},
): OAuth2Config<MastodonProfile, 'mastodon', Id> {
  const base = options.issuer?.replace(/\/+$/, '') ?? '{issuer}'
  return {
    id: 'mastodon',
    name: 'Mastodon',
    type: 'oauth',
    authorization: { url: `${base}/oauth/authorize`, params: { scope: 'read:accounts' } },
    token: `${base}/oauth/token`,
    userinfo: `${base}/api/v1/accounts/verify_credentials`,
    profile: (profile) => ({
      id: profile.id,
      name: profile.username,
      email: null,
      image: profile.avatar_static ?? null,
    }),
    style: { icon: () => import('./_icons/mastodon.ts') },
    options,
  }
}
