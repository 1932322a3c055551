import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import { isRecord } from '../core/is-record.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Threads (`GET /v1.0/me`). */
export interface ThreadsProfile extends Profile {
  id: string
  /** The user name, which the user can change. */
  username: string
  /** Display name. */
  name?: string
  /** Absent if the user has no picture. */
  threads_profile_picture_url?: string
}

/** Adds the `token_type` that RFC 6749 §5.1 requires. */
async function conform(response: Response): Promise<Response | undefined> {
  const body: unknown = await response.json()
  if (!response.ok || !isRecord(body)) return undefined
  return Response.json({ token_type: 'bearer', ...body })
}

/**
 * Threads (OAuth).
 *
 * Add the use case "Access the Threads API" to the app. The client id and secret are those of Threads, not those of
 * the app. The callback URL must be https. Threads reports no e-mail address.
 *
 * @see https://developers.facebook.com/docs/threads/threads-profiles
 * @example
 * ```ts
 * import Threads from 'lib-auth/providers/threads'
 *
 * // AUTH_THREADS_ID and AUTH_THREADS_SECRET are read where options are left out.
 * export const providers = [Threads]
 * ```
 */
export default function Threads<const Id extends string = ''>(
  options: OAuthUserConfig<ThreadsProfile, Id> = {},
): OAuth2Config<ThreadsProfile, 'threads', Id> {
  return {
    id: 'threads',
    name: 'Threads',
    type: 'oauth',
    authorization: {
      url: 'https://threads.net/oauth/authorize',
      params: { scope: 'threads_basic' },
    },
    token: { url: 'https://graph.threads.net/oauth/access_token', conform },
    userinfo:
      'https://graph.threads.net/v1.0/me?fields=id,username,name,threads_profile_picture_url',
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: (profile) => ({
      id: profile.id,
      name: profile.name ?? profile.username,
      email: null,
      image: profile.threads_profile_picture_url,
    }),
    style: { brandColor: '#000', icon: () => import('./_icons/threads.ts') },
    options,
  }
}
