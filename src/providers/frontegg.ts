import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Frontegg ID token. */
export interface FronteggProfile extends Profile {
  sub: string
  name: string
  email: string
  email_verified: boolean
  /** Tenant that the user signed in to. */
  tenantId?: string
  profilePictureUrl?: string
  permissions?: string[]
  roles?: string[]
}

/** The endpoints, which are below the issuer. */
function endpoints(issuer: string): Omit<Partial<OIDCConfig<FronteggProfile>>, 'id'> {
  const base = issuer.replace(/\/+$/, '')
  return {
    wellKnown: `${base}/oauth/.well-known/openid-configuration`,
    authorization: `${base}/oauth/authorize`,
    token: `${base}/oauth/token`,
    userinfo: `${base}/identity/resources/users/v2/me`,
  }
}

/**
 * Frontegg (OpenID Connect).
 *
 * `issuer` is the URL of the environment, `https://<subdomain>.frontegg.com`, or of its custom domain.
 *
 * `trustEmail` is `false`: an environment passes on claims of its upstream identity providers.
 *
 * @see https://developers.frontegg.com/
 * @example
 * ```ts
 * import Frontegg from 'lib-auth/providers/frontegg'
 *
 * export const providers = [Frontegg({ issuer: 'https://app-example.frontegg.com' })]
 * ```
 */
export default function Frontegg<const Id extends string = ''>(
  options: OIDCUserConfig<FronteggProfile, Id> = {},
): OIDCConfig<FronteggProfile, 'frontegg', Id> {
  return {
    id: 'frontegg',
    name: 'Frontegg',
    type: 'oidc',
    ...endpoints(options.issuer ?? '{issuer}'),
    isIssuer: isSameIssuer,
    options,
  }
}
