import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** User of Polar (userinfo response). */
export interface PolarProfile extends Profile {
  sub: string
  name?: string
  public_name?: string
  username?: string
  email?: string
  email_verified?: boolean
  avatar_url?: string | null
}

/**
 * Polar (OpenID Connect).
 *
 * The request contains `sub_type=user`. By default, a user selects an organization, which its members share, as account.
 *
 * `trustEmail` is `false`: how Polar verifies addresses is not documented.
 *
 * @see https://polar.sh/docs/integrate/oauth2/introduction
 * @example
 * ```ts
 * import Polar from 'lib-auth/providers/polar'
 *
 * // AUTH_POLAR_ID and AUTH_POLAR_SECRET are read where options are left out.
 * export const providers = [Polar]
 * ```
 */
export default function Polar<const Id extends string = ''>(
  options: OIDCUserConfig<PolarProfile, Id> = {},
): OIDCConfig<PolarProfile, 'polar', Id> {
  return {
    id: 'polar',
    name: 'Polar',
    type: 'oidc',
    issuer: 'https://polar.sh',
    wellKnown: 'https://api.polar.sh/.well-known/openid-configuration',
    isIssuer: isSameIssuer,
    authorization: { params: { sub_type: 'user' } },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    idToken: false,
    profile: (profile) => ({
      id: profile.sub,
      name: profile.public_name || profile.name || profile.username || null,
      email: profile.email ?? null,
      image: profile.avatar_url ?? profile.picture ?? null,
    }),
    options,
  }
}
