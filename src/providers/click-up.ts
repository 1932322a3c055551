import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of ClickUp (`GET /api/v2/user`). */
export interface ClickUpProfile extends Profile {
  user: {
    id: number
    username: string
    email: string
    color: string | null
    profilePicture: string | null
    initials?: string
    week_start_day?: number | null
    timezone?: string
  }
}

/**
 * ClickUp (OAuth).
 *
 * ClickUp has no scopes: the user selects the workspaces that the application can read and change.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://developer.clickup.com/docs/authentication
 * @example
 * ```ts
 * import ClickUp from 'lib-auth/providers/click-up'
 *
 * // AUTH_CLICK_UP_ID and AUTH_CLICK_UP_SECRET are read where options are left out.
 * export const providers = [ClickUp]
 * ```
 */
export default function ClickUp<const Id extends string = ''>(
  options: OAuthUserConfig<ClickUpProfile, Id> = {},
): OAuth2Config<ClickUpProfile, 'click-up', Id> {
  return {
    id: 'click-up',
    name: 'ClickUp',
    type: 'oauth',
    authorization: 'https://app.clickup.com/api',
    token: 'https://api.clickup.com/api/v2/oauth/token',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: 'https://api.clickup.com/api/v2/user',
    checks: ['state'],
    profile: ({ user }) => ({
      id: accountId(user.id),
      name: user.username ?? null,
      email: user.email ?? null,
      image: user.profilePicture ?? null,
    }),
    style: { brandColor: '#24292f', icon: () => import('./_icons/clickup.ts') },
    options,
  }
}
