import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Userinfo response of Salesforce. */
export interface SalesforceProfile extends Profile {
  /** Identity URL, `https://login.salesforce.com/id/<organization>/<user>`. */
  sub: string
  user_id: string
  organization_id: string
  /** Has the format of an address, but need not be one. */
  preferred_username: string
  nickname: string
  name: string
  email: string
  email_verified: boolean
  picture: string
  active: boolean
  user_type: string
}

/**
 * Salesforce (OpenID Connect).
 *
 * With the default issuer, users of other organizations can sign in. For your own organization, set `issuer` to its My
 * Domain URL, `https://<domain>.my.salesforce.com`; for the sandbox, to `https://test.salesforce.com`.
 *
 * `trustEmail` is `false`: administrators of an organization can set any e-mail address.
 *
 * @see https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_userinfo_endpoint.htm
 * @example
 * ```ts
 * import Salesforce from 'lib-auth/providers/salesforce'
 *
 * export const providers = [Salesforce({ issuer: 'https://example.my.salesforce.com' })]
 * ```
 */
export default function Salesforce<const Id extends string = ''>(
  options: OIDCUserConfig<SalesforceProfile, Id> = {},
): OIDCConfig<SalesforceProfile, 'salesforce', Id> {
  return {
    id: 'salesforce',
    name: 'Salesforce',
    type: 'oidc',
    issuer: 'https://login.salesforce.com',
    isIssuer: isSameIssuer,
    idToken: false,
    style: { brandColor: '#00a1e0' },
    options,
  }
}
