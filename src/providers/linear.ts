import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { graphqlUserinfo } from './_graphql.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Linear (the `viewer` of its GraphQL API). */
export interface LinearProfile extends Profile {
  /** Id of the user in the workspace. */
  id: string
  name: string
  email: string
  avatarUrl: string | null
}

/**
 * Linear (OAuth).
 *
 * A user of Linear belongs to one workspace: the same person has another id and account in each workspace. Linear
 * separates scopes with commas.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`, and a workspace with SSO or SCIM provisions its members.
 *
 * @see https://linear.app/developers/oauth-2-0-authentication
 * @example
 * ```ts
 * import Linear from 'lib-auth/providers/linear'
 *
 * // AUTH_LINEAR_ID and AUTH_LINEAR_SECRET are read where options are left out.
 * export const providers = [Linear]
 * ```
 */
export default function Linear<const Id extends string = ''>(
  options: OAuthUserConfig<LinearProfile, Id> = {},
): OAuth2Config<LinearProfile, 'linear', Id> {
  return {
    id: 'linear',
    name: 'Linear',
    type: 'oauth',
    authorization: { url: 'https://linear.app/oauth/authorize', params: { scope: 'read' } },
    token: 'https://api.linear.app/oauth/token',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: graphqlUserinfo('Linear', {
      url: 'https://api.linear.app/graphql',
      query: '{ viewer { id name email avatarUrl } }',
      member: 'viewer',
    }),
    checks: ['state'],
    profile: ({ id, name, email, avatarUrl }) => ({ id, name, email, image: avatarUrl }),
    style: { icon: () => import('./_icons/linear.ts') },
    options,
  }
}
