import type { OAuth2Config, OAuthProviderContext, OAuthUserConfig } from '../config/provider.ts'
import type { Profile, TokenSet } from '../types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../config/provider.ts'

/** User of AniList (the `Viewer` of its GraphQL API). */
export interface AniListProfile extends Omit<Profile, 'id'> {
  id: number
  name: string
  avatar: { large: string | null } | null
}

const API = 'https://graphql.anilist.co'
const QUERY = '{ Viewer { id name avatar { large } } }'

async function userinfo({
  tokens,
  provider,
}: {
  tokens: TokenSet
  provider: OAuthProviderContext
}): Promise<Profile> {
  const response = await provider.fetch(API, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tokens.access_token}`,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: QUERY }),
  })
  if (!response.ok) throw new Error(`AniList responded with status ${response.status}.`)
  const { data }: { data?: { Viewer?: Profile | null } | null } = await response.json()
  // GraphQL reports errors with status 200.
  if (!data?.Viewer) throw new Error('AniList responded with status 200 and no user.')
  return data.Viewer
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
export default function AniList(
  options: OAuthUserConfig<AniListProfile> = {},
): OAuth2Config<AniListProfile> {
  return {
    id: 'anilist',
    name: 'AniList',
    type: 'oauth',
    authorization: 'https://anilist.co/api/v2/oauth/authorize',
    token: 'https://anilist.co/api/v2/oauth/token',
    userinfo: { url: API, request: userinfo },
    checks: ['state'],
    profile: (profile) => ({
      id: profile.id.toString(),
      name: profile.name ?? null,
      email: null,
      image: profile.avatar?.large ?? null,
    }),
    options,
  }
}
