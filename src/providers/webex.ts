import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { instanceUrl } from './_instance.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Webex (`GET /people/me`). */
export interface WebexProfile extends Profile {
  id: string
  emails: string[]
  displayName?: string
  nickName?: string
  firstName?: string
  lastName?: string
  /** Absent if the user has no picture. */
  avatar?: string
  orgId?: string
  created?: string
  timezone?: string
  type?: 'person' | 'bot' | 'appuser'
}

/** Options of the Webex provider. */
export interface WebexOptions<Id extends string = string> extends OAuthUserConfig<
  WebexProfile,
  Id
> {
  /** URL of the API. @default 'https://webexapis.com/v1' */
  apiBaseUrl?: string
}

/**
 * Webex (OAuth).
 *
 * `trustEmail` is `false`: administrators of an organization can set the address of a user.
 *
 * @see https://developer.webex.com/docs/login-with-webex
 * @example
 * ```ts
 * import Webex from 'lib-auth/providers/webex'
 *
 * // AUTH_WEBEX_ID and AUTH_WEBEX_SECRET are read where options are left out.
 * export const providers = [Webex]
 * ```
 */
export default function Webex<const Id extends string = ''>({
  apiBaseUrl = 'https://webexapis.com/v1',
  ...options
}: WebexOptions<Id> = {}): OAuth2Config<WebexProfile, 'webex', Id> {
  const option = 'apiBaseUrl of the Webex provider'
  const base = instanceUrl(apiBaseUrl, option, 'https://webexapis.com/v1')
  return {
    id: 'webex',
    name: 'Webex',
    type: 'oauth',
    authorization: {
      url: `${base}/authorize`,
      params: { scope: 'spark:kms spark:people_read' },
    },
    token: `${base}/access_token`,
    userinfo: `${base}/people/me`,
    profile: (profile) => ({
      id: profile.id,
      name: profile.displayName,
      email: profile.emails?.[0] ?? null,
      image: profile.avatar,
    }),
    options,
  }
}
