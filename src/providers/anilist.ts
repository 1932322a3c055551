import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { graphqlUserinfo } from './_graphql.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of AniList (the `Viewer` of its GraphQL API). */
export interface AniListProfile extends Omit<Profile, 'id'> {
  id: number
  name: string
  avatar: { large: string | null } | null
}

/**
 * AniList (OAuth).
 *
 * AniList has no scopes and reports no e-mail address.
 *
 * @see https://docs.anilist.co/guide/auth/
 * @example
 * ```ts
 * import AniList from 'lib-auth/providers/anilist'
 *
 * // AUTH_ANILIST_ID and AUTH_ANILIST_SECRET are read where options are left out.
 * export const providers = [AniList]
 * ```
 */
export default function AniList<const Id extends string = ''>(
  options: OAuthUserConfig<AniListProfile, Id> = {},
): OAuth2Config<AniListProfile, 'anilist', Id> {
  return {
    id: 'anilist',
    name: 'AniList',
    type: 'oauth',
    authorization: 'https://anilist.co/api/v2/oauth/authorize',
    token: 'https://anilist.co/api/v2/oauth/token',
    userinfo: graphqlUserinfo('AniList', {
      url: 'https://graphql.anilist.co',
      query: '{ Viewer { id name avatar { large } } }',
      member: 'Viewer',
    }),
    checks: ['state'],
    profile: (profile) => ({
      id: accountId(profile.id),
      name: profile.name ?? null,
      email: null,
      image: profile.avatar?.large ?? null,
    }),
    style: { icon: () => import('./_icons/anilist.ts') },
    options,
  }
}
