import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { bearerRevocation } from './_revocation.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Slack ID token. */
export interface SlackProfile extends Profile {
  /** User id at Slack. */
  sub: string
  'https://slack.com/user_id': string
  'https://slack.com/team_id': string
  'https://slack.com/team_name'?: string
  'https://slack.com/team_domain'?: string
  'https://slack.com/user_image_24'?: string
  'https://slack.com/user_image_32'?: string
  'https://slack.com/user_image_48'?: string
  'https://slack.com/user_image_72'?: string
  'https://slack.com/user_image_192'?: string
  'https://slack.com/user_image_512'?: string
  email?: string
  email_verified?: boolean
  /** In seconds since the epoch. */
  date_email_verified?: number
  name?: string
  given_name?: string
  family_name?: string
  locale?: string
  picture?: string
}

/**
 * Slack (OpenID Connect).
 *
 * Add the user scopes `openid`, `profile` and `email` to the Slack app. To allow only one workspace, compare
 * `profile['https://slack.com/team_id']` in the `signIn` callback.
 *
 * `trustEmail` is `false`: a workspace with SSO or SCIM provisions its members with any address.
 *
 * @see https://docs.slack.dev/authentication/sign-in-with-slack/
 * @example
 * ```ts
 * import Slack from 'lib-auth/providers/slack'
 *
 * // AUTH_SLACK_ID and AUTH_SLACK_SECRET are read where options are left out.
 * export const providers = [Slack]
 * ```
 */
export default function Slack<const Id extends string = ''>(
  options: OIDCUserConfig<SlackProfile, Id> = {},
): OIDCConfig<SlackProfile, 'slack', Id> {
  return {
    id: 'slack',
    name: 'Slack',
    type: 'oidc',
    issuer: 'https://slack.com',
    revocation: bearerRevocation('https://slack.com/api/auth.revoke'),
    // Slack accepts PKCE only from an app that has opted in.
    checks: ['state', 'nonce'],
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.picture ?? profile['https://slack.com/user_image_512'] ?? null,
    }),
    style: { brandColor: '#611f69' },
    options,
  }
}
