import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { userinfoEndpoint } from './_userinfo.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of TikTok; members other than these three require further `fields` and scopes. */
export interface TikTokUser {
  /** Identifies the user for one app only. */
  open_id: string
  display_name: string
  avatar_url: string
  /** Identifies the user for all apps of a developer. */
  union_id?: string
  username?: string
  bio_description?: string
  profile_deep_link?: string
  is_verified?: boolean
  follower_count?: number
  following_count?: number
  likes_count?: number
  video_count?: number
}

/** Response of TikTok (`GET /v2/user/info/`). */
export interface TiktokProfile extends Profile {
  data: { user: TikTokUser }
  error?: {
    /** `ok` without an error. */
    code: string
    message: string
    log_id: string
  }
}

/** An error can have status 200. */
function read(profile: TiktokProfile): TiktokProfile {
  const { code = 'ok' } = profile.error ?? {}
  if (code !== 'ok') throw new Error(`TikTok responded with the error ${code}.`)
  return profile
}

/**
 * TikTok (OAuth).
 *
 * The client id is the client key of the app, which needs the product Login Kit. The callback URL must be https.
 * TikTok reports no e-mail address.
 *
 * @see https://developers.tiktok.com/doc/login-kit-web/
 * @example
 * ```ts
 * import TikTok from 'lib-auth/providers/tiktok'
 *
 * // AUTH_TIKTOK_ID and AUTH_TIKTOK_SECRET are read where options are left out.
 * export const providers = [TikTok]
 * ```
 */
export default function TikTok<const Id extends string = ''>(
  options: OAuthUserConfig<TiktokProfile, Id> = {},
): OAuth2Config<TiktokProfile, 'tiktok', Id> {
  return {
    id: 'tiktok',
    name: 'TikTok',
    type: 'oauth',
    clientIdParameter: 'client_key',
    authorization: {
      url: 'https://www.tiktok.com/v2/auth/authorize/',
      params: { scope: 'user.info.basic' },
    },
    token: 'https://open.tiktokapis.com/v2/oauth/token/',
    revocation: { url: 'https://open.tiktokapis.com/v2/oauth/revoke/', tokenType: 'access_token' },
    userinfo: userinfoEndpoint('TikTok', {
      url: 'https://open.tiktokapis.com/v2/user/info/?fields=open_id,avatar_url,display_name',
      read,
    }),
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ data: { user } }) => ({
      id: user.open_id,
      name: user.display_name,
      email: null,
      image: user.avatar_url,
    }),
    style: { brandColor: '#000', icon: () => import('./_icons/tiktok.ts') },
    options,
  }
}
