import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Vercel ID token. */
export interface VercelProfile extends Profile {
  sub: string
  /** Requires the scope `email`. */
  email?: string
  /** Requires the scope `profile`. */
  name?: string | null
  /** User name, which the user can change. */
  preferred_username?: string
  picture?: string
}

/**
 * Vercel (OpenID Connect).
 *
 * Enable the scopes `openid`, `profile` and `email` in the settings of the app: Vercel ignores a scope that is not
 * enabled there.
 *
 * `trustEmail` is `false`: the ID token has no `email_verified`.
 *
 * @see https://vercel.com/docs/sign-in-with-vercel
 * @example
 * ```ts
 * import Vercel from 'lib-auth/providers/vercel'
 *
 * // AUTH_VERCEL_ID and AUTH_VERCEL_SECRET are read where options are left out.
 * export const providers = [Vercel]
 * ```
 */
export default function Vercel<const Id extends string = ''>(
  options: OIDCUserConfig<VercelProfile, Id> = {},
): OIDCConfig<VercelProfile, 'vercel', Id> {
  return {
    id: 'vercel',
    name: 'Vercel',
    type: 'oidc',
    issuer: 'https://vercel.com',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    style: { icon: () => import('./_icons/vercel.ts') },
    options,
  }
}
