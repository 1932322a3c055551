import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { userinfoEndpoint } from './_userinfo.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Metadata of a Mailchimp access token (`GET /oauth2/metadata`). */
export interface MailchimpProfile extends Profile {
  /** Data center of the account. */
  dc: string
  role: string
  /** Name of the account, usually a company. */
  accountname: string
  /** Id of the account. */
  user_id: number
  login: {
    /** Id of the user. */
    login_id: number
    login_name?: string
    login_email?: string
    email: string
    avatar: string | null
  }
  login_url: string
  api_endpoint: string
}

/**
 * Mailchimp (OAuth).
 *
 * Mailchimp has no scopes, and its access tokens do not expire. `name` is the name of the account.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/
 * @example
 * ```ts
 * import Mailchimp from 'lib-auth/providers/mailchimp'
 *
 * // AUTH_MAILCHIMP_ID and AUTH_MAILCHIMP_SECRET are read where options are left out.
 * export const providers = [Mailchimp]
 * ```
 */
export default function Mailchimp<const Id extends string = ''>(
  options: OAuthUserConfig<MailchimpProfile, Id> = {},
): OAuth2Config<MailchimpProfile, 'mailchimp', Id> {
  return {
    id: 'mailchimp',
    name: 'Mailchimp',
    type: 'oauth',
    authorization: 'https://login.mailchimp.com/oauth2/authorize',
    token: 'https://login.mailchimp.com/oauth2/token',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: userinfoEndpoint('Mailchimp', {
      url: 'https://login.mailchimp.com/oauth2/metadata',
      // The authorization scheme that Mailchimp documents.
      headers: ({ tokens }) => ({ authorization: `OAuth ${tokens.access_token}` }),
    }),
    profile: ({ accountname, login }) => ({
      id: accountId(login.login_id),
      name: accountname ?? null,
      email: login.email ?? null,
      image: login.avatar ?? null,
    }),
    style: { brandColor: '#000000' },
    options,
  }
}
