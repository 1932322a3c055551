import type { OAuth2Config, OAuthUserConfig } from '../config/provider.ts'
import type { Profile } from '../types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../config/provider.ts'

/** A picture of a user of 42 School. */
export interface FortyTwoImage {
  link: string | null
  versions?: {
    large?: string | null
    medium?: string | null
    small?: string | null
    micro?: string | null
  }
}

/** User of 42 School (`GET /v2/me`). */
export interface FortyTwoProfile extends Omit<Profile, 'id'> {
  id: number
  login: string
  email: string
  first_name: string
  last_name: string
  usual_full_name: string | null
  usual_first_name: string | null
  displayname: string
  url: string
  image: FortyTwoImage | null
  phone: string | null
  kind: string
  'staff?': boolean
  'alumni?'?: boolean
  'active?'?: boolean
  correction_point: number
  pool_month: string | null
  pool_year: string | null
  location: string | null
  wallet: number
  created_at: string
  updated_at: string
}

/**
 * 42 School (OAuth).
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://api.intra.42.fr/apidoc/guides/web_application_flow
 * @example
 * ```ts
 * import FortyTwo from 'lib-auth/providers/42-school'
 *
 * // AUTH_42_SCHOOL_ID and AUTH_42_SCHOOL_SECRET are read where options are left out.
 * export const providers = [FortyTwo]
 * ```
 */
export default function FortyTwo(
  options: OAuthUserConfig<FortyTwoProfile> = {},
): OAuth2Config<FortyTwoProfile> {
  return {
    id: '42-school',
    name: '42 School',
    type: 'oauth',
    authorization: {
      url: 'https://api.intra.42.fr/oauth/authorize',
      params: { scope: 'public' },
    },
    token: 'https://api.intra.42.fr/oauth/token',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: 'https://api.intra.42.fr/v2/me',
    profile: (profile) => ({
      id: profile.id.toString(),
      name: profile.usual_full_name ?? profile.login ?? null,
      email: profile.email ?? null,
      image: profile.image?.link ?? null,
    }),
    options,
  }
}
