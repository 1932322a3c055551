import type { OAuth2Config, OAuthUserConfig, UserinfoRequest } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Mail.ru (`GET /userinfo`). */
export interface MailruProfile extends Profile {
  id: string
  email: string
  name: string
  nickname?: string
  first_name?: string
  last_name?: string
  /** URL of the picture. */
  image?: string
  locale?: string
  gender?: string
  birthday?: string
}

const USERINFO = 'https://oauth.mail.ru/userinfo'

/** Sends the access token in the query, as Mail.ru documents. */
async function userinfo({ tokens, provider }: UserinfoRequest): Promise<Profile> {
  const url = new URL(provider.userinfo?.url ?? USERINFO)
  url.searchParams.set('access_token', tokens.access_token ?? '')
  const response = await provider.fetch(url)
  if (!response.ok) throw new Error(`Mail.ru responded with status ${response.status}.`)
  const profile: Profile = await response.json()
  if (profile['error']) throw new Error('Mail.ru responded with status 200 and an error.')
  return profile
}

/**
 * Mail.ru (OAuth).
 *
 * The callback URL must equal the one in the settings of the app, including the scheme and a slash at the end.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://id.vk.com/about/business/go/docs/ru/vkid/latest/oauth/oauth-mail/index
 * @example
 * ```ts
 * import Mailru from 'lib-auth/providers/mailru'
 *
 * // AUTH_MAILRU_ID and AUTH_MAILRU_SECRET are read where options are left out.
 * export const providers = [Mailru]
 * ```
 */
export default function Mailru<const Id extends string = ''>(
  options: OAuthUserConfig<MailruProfile, Id> = {},
): OAuth2Config<MailruProfile, 'mailru', Id> {
  return {
    id: 'mailru',
    name: 'Mail.ru',
    type: 'oauth',
    authorization: { url: 'https://oauth.mail.ru/login', params: { scope: 'openid profile' } },
    token: 'https://oauth.mail.ru/token',
    userinfo: { url: USERINFO, request: userinfo },
    profile: ({ id, name, nickname, email, image }) => ({
      id,
      name: name || nickname || null,
      email: email || null,
      image: image || null,
    }),
    style: { icon: () => import('./_icons/maildotru.ts') },
    options,
  }
}
