import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** A picture of a Spotify user. */
export interface SpotifyImage {
  url: string
  height?: number | null
  width?: number | null
}

/** User of Spotify (`GET /v1/me`). */
export interface SpotifyProfile extends Profile {
  id: string
  display_name: string | null
  /** Requires the scope `user-read-email`; absent for applications in development mode. */
  email?: string
  /** The widest picture first. */
  images?: SpotifyImage[]
  /** Requires the scope `user-read-private`. */
  country?: string
  /** Requires the scope `user-read-private`. */
  product?: string
  uri?: string
}

/**
 * Spotify (OAuth).
 *
 * Register the callback URL with `http://127.0.0.1` instead of `http://localhost`.
 *
 * `trustEmail` is `false`: Spotify does not verify the address that a user enters.
 *
 * @see https://developer.spotify.com/documentation/web-api/tutorials/code-flow
 * @example
 * ```ts
 * import Spotify from 'lib-auth/providers/spotify'
 *
 * // AUTH_SPOTIFY_ID and AUTH_SPOTIFY_SECRET are read where options are left out.
 * export const providers = [Spotify]
 * ```
 */
export default function Spotify<const Id extends string = ''>(
  options: OAuthUserConfig<SpotifyProfile, Id> = {},
): OAuth2Config<SpotifyProfile, 'spotify', Id> {
  return {
    id: 'spotify',
    name: 'Spotify',
    type: 'oauth',
    authorization: {
      url: 'https://accounts.spotify.com/authorize',
      params: { scope: 'user-read-email' },
    },
    token: 'https://accounts.spotify.com/api/token',
    userinfo: 'https://api.spotify.com/v1/me',
    profile: (profile) => ({
      id: profile.id,
      name: profile.display_name ?? null,
      email: profile.email ?? null,
      image: profile.images?.[0]?.url ?? null,
    }),
    style: { brandColor: '#1db954', icon: () => import('./_icons/spotify.ts') },
    options,
  }
}
