import type { OAuth2Config, OAuthUserConfig, UserinfoRequest } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Response of Foursquare (`GET /v2/users/self`). */
export interface FoursquareProfile extends Profile {
  meta?: { code: number; errorType?: string; errorDetail?: string }
  response: {
    user: {
      id: string
      firstName?: string
      lastName?: string
      contact?: { email?: string }
      /** A URL in two parts, with the size between them. */
      photo?: { prefix: string; suffix: string }
    }
  }
}

/** Options of the Foursquare provider. */
export interface FoursquareOptions<Id extends string = string> extends OAuthUserConfig<
  FoursquareProfile,
  Id
> {
  /** Version of the API, as a date `YYYYMMDD`. @default '20230131' */
  apiVersion?: string
}

const SELF = 'https://api.foursquare.com/v2/users/self'

/** Sends the access token in the query, as version 2 of the API requires. */
async function userinfo(v: string, { tokens, provider }: UserinfoRequest): Promise<Profile> {
  const url = new URL(provider.userinfo?.url ?? SELF)
  url.searchParams.set('v', v)
  url.searchParams.set('oauth_token', tokens.access_token ?? '')
  const response = await provider.fetch(url)
  if (!response.ok) throw new Error(`Foursquare responded with status ${response.status}.`)
  const profile: FoursquareProfile = await response.json()
  const { code = 200 } = profile.meta ?? {}
  if (code !== 200) throw new Error(`Foursquare responded with the code ${code}.`)
  return profile
}

/**
 * Foursquare (OAuth).
 *
 * Uses version 2 of the API, which has no scopes. Check that your Foursquare project still has access to it.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://docs.foursquare.com/developer/reference/authentication-v2
 * @example
 * ```ts
 * import Foursquare from 'lib-auth/providers/foursquare'
 *
 * // AUTH_FOURSQUARE_ID and AUTH_FOURSQUARE_SECRET are read where options are left out.
 * export const providers = [Foursquare]
 * ```
 */
export default function Foursquare<const Id extends string = ''>({
  apiVersion = '20230131',
  ...options
}: FoursquareOptions<Id> = {}): OAuth2Config<FoursquareProfile, 'foursquare', Id> {
  return {
    id: 'foursquare',
    name: 'Foursquare',
    type: 'oauth',
    authorization: 'https://foursquare.com/oauth2/authenticate',
    token: 'https://foursquare.com/oauth2/access_token',
    userinfo: { url: SELF, request: (context) => userinfo(apiVersion, context) },
    profile: ({ response: { user } }) => ({
      id: user.id,
      name: [user.firstName, user.lastName].filter(Boolean).join(' ') || null,
      email: user.contact?.email,
      image: user.photo ? `${user.photo.prefix}original${user.photo.suffix}` : null,
    }),
    style: { brandColor: '#000', icon: () => import('./_icons/foursquare.ts') },
    options,
  }
}
