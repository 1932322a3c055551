import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of an ID token of Duende IdentityServer. */
export interface DuendeISUser extends Profile {
  sub: string
  /** Requires that the client includes user claims in the ID token. */
  name: string
  email: string
  email_verified: boolean
}

/**
 * Duende IdentityServer (OpenID Connect); any version, not only 6.
 *
 * `issuer` is the base URL of the server. The client must have `AlwaysIncludeUserClaimsInIdToken`, or set
 * `idToken: false` here to read the claims from the userinfo endpoint.
 *
 * `trustEmail` is `false`: the claims are those of the user store behind the server. Set it to `true` for a server of
 * your own that verifies every address.
 *
 * @see https://docs.duendesoftware.com/identityserver/
 * @example
 * ```ts
 * import DuendeIdentityServer6 from 'lib-auth/providers/duende-identity-server6'
 *
 * export const providers = [DuendeIdentityServer6({ issuer: 'https://id.example.com' })]
 * ```
 */
export default function DuendeIdentityServer6<const Id extends string = ''>(
  options: OIDCUserConfig<DuendeISUser, Id> = {},
): OIDCConfig<DuendeISUser, 'duende-identity-server6', Id> {
  return {
    id: 'duende-identity-server6',
    name: 'DuendeIdentityServer6',
    type: 'oidc',
    isIssuer: isSameIssuer,
    options,
  }
}
