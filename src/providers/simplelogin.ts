import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a SimpleLogin ID token. */
export interface SimpleLoginProfile extends Profile {
  sub: string
  /** Name of the application. */
  client?: string
  name?: string
  /** An alias, or the address of the user. */
  email?: string
  email_verified?: boolean
  avatar_url?: string | null
}

/**
 * SimpleLogin (OpenID Connect).
 *
 * A user can select an alias instead of the own address, and another one for each application.
 *
 * `trustEmail` is `false`: whether an alias can pass to another user is not documented.
 *
 * @see https://simplelogin.io/docs/siwsl/intro/
 * @example
 * ```ts
 * import SimpleLogin from 'lib-auth/providers/simplelogin'
 *
 * // AUTH_SIMPLELOGIN_ID and AUTH_SIMPLELOGIN_SECRET are read where options are left out.
 * export const providers = [SimpleLogin]
 * ```
 */
export default function SimpleLogin<const Id extends string = ''>(
  options: OIDCUserConfig<SimpleLoginProfile, Id> = {},
): OIDCConfig<SimpleLoginProfile, 'simplelogin', Id> {
  return {
    id: 'simplelogin',
    name: 'SimpleLogin',
    type: 'oidc',
    issuer: 'https://app.simplelogin.io',
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: profile.avatar_url ?? null,
    }),
    style: { brandColor: '#e3156a', icon: () => import('./_icons/simplelogin.ts') },
    options,
  }
}
