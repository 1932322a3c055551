import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of an ID token of IdentityServer4. */
export interface IdentityServer4Profile extends Profile {
  sub: string
  /** Requires that the client includes user claims in the ID token. */
  name?: string
  email?: string
  email_verified?: boolean
}

/**
 * IdentityServer4 (OpenID Connect), which reached its end of life in December 2022.
 *
 * `issuer` is the base URL of the server. The client must have `AlwaysIncludeUserClaimsInIdToken`, or set
 * `idToken: false` here to read the claims from the userinfo endpoint.
 *
 * `trustEmail` is `false`: the claims are those of the user store behind the server. Set it to `true` for a server of
 * your own that verifies every address.
 *
 * @see https://identityserver4.readthedocs.io/en/latest/
 * @example
 * ```ts
 * import IdentityServer4 from 'lib-auth/providers/identity-server4'
 *
 * export const providers = [IdentityServer4({ issuer: 'https://id.example.com' })]
 * ```
 */
export default function IdentityServer4<const Id extends string = ''>(
  options: OIDCUserConfig<IdentityServer4Profile, Id> = {},
): OIDCConfig<IdentityServer4Profile, 'identity-server4', Id> {
  return {
    id: 'identity-server4',
    name: 'IdentityServer4',
    type: 'oidc',
    isIssuer: isSameIssuer,
    options,
  }
}
