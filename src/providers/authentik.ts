import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of an authentik ID token. */
export interface AuthentikProfile extends Profile {
  sub: string
  aud: string
  email?: string
  email_verified?: boolean
  exp: number
  iat: number
  iss: string
  auth_time: number
  acr: string
  name: string
  given_name: string
  preferred_username: string
  nickname: string
  groups: string[]
}

/**
 * Authentik (OpenID Connect).
 *
 * `issuer` is `https://<host>/application/o/<slug>/`, with or without the slash at the end.
 *
 * `trustEmail` is `false`: administrators of an instance and its upstream identity providers can set `email_verified`
 * without a verification.
 *
 * @see https://docs.goauthentik.io/docs/add-secure-apps/providers/oauth2/
 * @example
 * ```ts
 * import Authentik from 'lib-auth/providers/authentik'
 *
 * export const providers = [Authentik({ issuer: 'https://id.example.com/application/o/shop/' })]
 * ```
 */
export default function Authentik<const Id extends string = ''>(
  options: OIDCUserConfig<AuthentikProfile, Id> = {},
): OIDCConfig<AuthentikProfile, 'authentik', Id> {
  return {
    id: 'authentik',
    name: 'Authentik',
    type: 'oidc',
    // The issuer ends with a slash, which is often left out.
    isIssuer: isSameIssuer,
    style: { icon: () => import('./_icons/authentik.ts') },
    options,
  }
}
