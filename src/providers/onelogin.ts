import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a OneLogin ID token. */
export interface OneLoginProfile extends Profile {
  sub: string
  email: string
  preferred_username: string
  name: string
  given_name?: string
  family_name?: string
  /** Requires the scope `groups`. */
  groups?: string[]
}

/**
 * OneLogin (OpenID Connect).
 *
 * `issuer` is `https://<subdomain>.onelogin.com/oidc/2`. The option can leave out `/oidc/2`.
 *
 * `trustEmail` is `false`: administrators of an account can set any e-mail address without a verification.
 *
 * @see https://developers.onelogin.com/openid-connect
 * @example
 * ```ts
 * import OneLogin from 'lib-auth/providers/onelogin'
 *
 * export const providers = [OneLogin({ issuer: 'https://example.onelogin.com/oidc/2' })]
 * ```
 */
export default function OneLogin<const Id extends string = ''>(
  options: OIDCUserConfig<OneLoginProfile, Id> = {},
): OIDCConfig<OneLoginProfile, 'onelogin', Id> {
  const account = options.issuer?.replace(/\/*$/, '').replace(/\/oidc\/2$/, '')
  return {
    id: 'onelogin',
    name: 'OneLogin',
    type: 'oidc',
    wellKnown: account && `${account}/oidc/2/.well-known/openid-configuration`,
    isIssuer: isSameIssuer,
    endSession: { returnsWithoutHint: false },
    options,
  }
}
