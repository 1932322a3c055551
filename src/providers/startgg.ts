import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { graphqlUserinfo } from './_graphql.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of start.gg (`currentUser` of its GraphQL API). */
export interface StartGGProfile extends Omit<Profile, 'id'> {
  id: number | string
  /** Path of the profile page, for example `user/0a1b2c3d`. */
  slug?: string | null
  /** Requires the scope `user.email`. */
  email?: string | null
  player?: { gamerTag?: string | null } | null
}

const SCOPE = 'user.identity user.email'

/**
 * start.gg (OAuth).
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://developer.start.gg/docs/oauth/oauth-overview/
 * @example
 * ```ts
 * import StartGG from 'lib-auth/providers/startgg'
 *
 * // AUTH_STARTGG_ID and AUTH_STARTGG_SECRET are read where options are left out.
 * export const providers = [StartGG]
 * ```
 */
export default function StartGG<const Id extends string = ''>(
  options: OAuthUserConfig<StartGGProfile, Id> = {},
): OAuth2Config<StartGGProfile, 'startgg', Id> {
  return {
    id: 'startgg',
    name: 'start.gg',
    type: 'oauth',
    authorization: { url: 'https://start.gg/oauth/authorize', params: { scope: SCOPE } },
    // start.gg requires the scope in the token request, too.
    token: { url: 'https://api.start.gg/oauth/access_token', params: { scope: SCOPE } },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: graphqlUserinfo('start.gg', {
      url: 'https://api.start.gg/gql/alpha',
      query: '{ currentUser { id slug email player { gamerTag } } }',
      member: 'currentUser',
    }),
    checks: ['state'],
    profile: (profile) => ({
      id: accountId(profile.id),
      name: profile.player?.gamerTag ?? null,
      email: profile.email ?? null,
      image: null,
    }),
    options,
  }
}
