import type { OAuth2Config, OAuthProviderContext, OAuthUserConfig } from '../config/provider.ts'
import type { Profile, TokenSet } from '../types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../config/provider.ts'

/** User of Linear (the `viewer` of its GraphQL API). */
export interface LinearProfile extends Profile {
  /** Id of the user in the workspace. */
  id: string
  name: string
  email: string
  avatarUrl: string | null
}

const API = 'https://api.linear.app/graphql'

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
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: '{ viewer { id name email avatarUrl } }' }),
  })
  if (!response.ok) throw new Error(`Linear responded with status ${response.status}.`)
  const { data }: { data?: { viewer?: Profile | null } | null } = await response.json()
  // GraphQL reports errors with status 200.
  if (!data?.viewer) throw new Error('Linear responded with status 200 and no user.')
  return data.viewer
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
export default function Linear(
  options: OAuthUserConfig<LinearProfile> = {},
): OAuth2Config<LinearProfile> {
  return {
    id: 'linear',
    name: 'Linear',
    type: 'oauth',
    authorization: { url: 'https://linear.app/oauth/authorize', params: { scope: 'read' } },
    token: 'https://api.linear.app/oauth/token',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: { url: API, request: userinfo },
    checks: ['state'],
    profile: ({ id, name, email, avatarUrl }) => ({ id, name, email, image: avatarUrl }),
    options,
  }
}
