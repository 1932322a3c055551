import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { userinfoEndpoint } from './_userinfo.ts'
import { jsonRevocation } from './_revocation.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Trakt (the member `user` of `GET /users/settings`). */
export interface TraktUser extends Profile {
  /** The user can change it. */
  username: string
  private: boolean
  name: string | null
  vip: boolean
  vip_ep: boolean
  ids: {
    /** Derived from the user name. */
    slug: string
    uuid: string
  }
  joined_at: string
  location: string | null
  about: string | null
  gender: string | null
  age: number | null
  images?: { avatar?: { full: string } | null } | null
}

function read(settings: { readonly user?: Profile } | null): Profile {
  if (!settings?.user) throw new Error('Trakt responded without a user.')
  return settings.user
}

/**
 * Trakt (OAuth).
 *
 * The account id is the UUID of the user. Trakt reports no e-mail address, and does not allow other sites to embed its
 * pictures: copy the picture to show it.
 *
 * @see https://trakt.docs.apiary.io/#reference/authentication-oauth
 * @example
 * ```ts
 * import Trakt from 'lib-auth/providers/trakt'
 *
 * // AUTH_TRAKT_ID and AUTH_TRAKT_SECRET are read where options are left out.
 * export const providers = [Trakt]
 * ```
 */
export default function Trakt<const Id extends string = ''>(
  options: OAuthUserConfig<TraktUser, Id> = {},
): OAuth2Config<TraktUser, 'trakt', Id> {
  return {
    id: 'trakt',
    name: 'Trakt',
    type: 'oauth',
    authorization: { url: 'https://trakt.tv/oauth/authorize', params: { scope: '' } },
    token: 'https://api.trakt.tv/oauth/token',
    revocation: jsonRevocation('https://api.trakt.tv/oauth/revoke', ({ provider }) => ({
      body: { client_id: provider.clientId, client_secret: provider.clientSecret },
    })),
    // Only the settings contain an id that does not change with the user name.
    userinfo: userinfoEndpoint('Trakt', {
      url: 'https://api.trakt.tv/users/settings',
      headers: ({ provider }) => ({ 'trakt-api-version': '2', 'trakt-api-key': provider.clientId }),
      read,
    }),
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: (profile) => ({
      id: profile.ids.uuid,
      name: profile.name || profile.username,
      email: null,
      image: profile.images?.avatar?.full,
    }),
    style: { brandColor: '#ed2224', icon: () => import('./_icons/trakt.ts') },
    options,
  }
}
