import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import { isRecord } from '../core/is-record.ts'
import type { Profile } from '../core/types.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Twitch ID token. */
export interface TwitchProfile extends Profile {
  sub: string
  /** The login name, which the user can change. */
  preferred_username: string
  email: string
  picture: string
}

/** Converts scopes from a list to text (RFC 6749 §5.1), and errors to those of RFC 6749 §5.2. */
async function conform(response: Response): Promise<Response | undefined> {
  const body: unknown = await response.json()
  if (!isRecord(body)) return undefined
  const { scope, message, ...rest } = body
  if (response.ok)
    return Response.json({ ...rest, ...(Array.isArray(scope) && { scope: scope.join(' ') }) })
  // Twitch has no error codes: the message is "Invalid refresh token".
  const isRefused = typeof message === 'string' && /refresh token/i.test(message)
  const error = isRefused ? 'invalid_grant' : 'invalid_request'
  return Response.json({ error, error_description: message }, { status: response.status })
}

/**
 * Twitch (OpenID Connect).
 *
 * Twitch only puts claims into the ID token that the parameter `claims` requests.
 *
 * `trustEmail` is `false`, because `email_verified` is not among the requested claims. To use it, add it to
 * `authorization.params.claims`.
 *
 * @see https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/
 * @example
 * ```ts
 * import Twitch from 'lib-auth/providers/twitch'
 *
 * // AUTH_TWITCH_ID and AUTH_TWITCH_SECRET are read where options are left out.
 * export const providers = [Twitch]
 * ```
 */
export default function Twitch<const Id extends string = ''>(
  options: OIDCUserConfig<TwitchProfile, Id> = {},
): OIDCConfig<TwitchProfile, 'twitch', Id> {
  return {
    id: 'twitch',
    name: 'Twitch',
    type: 'oidc',
    issuer: 'https://id.twitch.tv/oauth2',
    authorization: {
      params: {
        scope: 'openid user:read:email',
        claims: { id_token: { email: null, picture: null, preferred_username: null } },
      },
    },
    token: { conform },
    revocation: { url: 'https://id.twitch.tv/oauth2/revoke', tokenType: 'access_token' },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    style: { brandColor: '#65459b', icon: () => import('./_icons/twitch.ts') },
    options,
  }
}
