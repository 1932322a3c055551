import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a LINE ID token. */
export interface LineProfile extends Profile {
  iss: string
  /** User id; the channels of one LINE provider receive the same one. */
  sub: string
  aud: string
  exp: number
  iat: number
  amr?: string[]
  name?: string
  picture?: string
  /** Requires the permission for e-mail addresses. */
  email?: string
}

/**
 * LINE (OpenID Connect).
 *
 * Register a LINE Login channel. ID tokens contain `email` only if the channel has the permission for e-mail addresses.
 * LINE signs the ID tokens of a web login with the channel secret (HS256).
 *
 * `trustEmail` is `false`: LINE sends no `email_verified`.
 *
 * @see https://developers.line.biz/en/docs/line-login/integrate-line-login/
 * @example
 * ```ts
 * import LINE from 'lib-auth/providers/line'
 *
 * // AUTH_LINE_ID and AUTH_LINE_SECRET are read where options are left out.
 * export const providers = [LINE]
 * ```
 */
export default function LINE<const Id extends string = ''>(
  options: OIDCUserConfig<LineProfile, Id> = {},
): OIDCConfig<LineProfile, 'line', Id> {
  return {
    id: 'line',
    name: 'LINE',
    type: 'oidc',
    issuer: 'https://access.line.me',
    revocation: {
      url: 'https://api.line.me/oauth2/v2.1/revoke',
      tokenType: 'access_token',
      tokenParameter: 'access_token',
    },
    client: {
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'HS256',
    },
    style: { brandColor: '#00c300', icon: () => import('./_icons/line.ts') },
    options,
  }
}
