import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import { InvalidConfiguration } from '../core/errors/classes.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Cognito ID token. */
export interface CognitoProfile extends Profile {
  sub: string
  'cognito:username': string
  'cognito:groups'?: string[]
  /** Missing if the user pool has no such attribute, or the app client cannot read it. */
  name?: string
  email: string
  email_verified: boolean
  picture?: string
}

/** The domain of the sign-in pages, and an issuer without a user pool. */
const NOT_AN_ISSUER = /\.amazoncognito\.com(?:\/|$)|^https:\/\/cognito-idp\.[^/]+\/?$/

/**
 * Amazon Cognito (OpenID Connect).
 *
 * `issuer` is `https://cognito-idp.<region>.amazonaws.com/<user pool id>`, not the domain of the sign-in pages.
 *
 * `trustEmail` is `false`: administrators and upstream identity providers can set `email_verified` without a verification.
 * Set it to `true` for a user pool that verifies every address.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html
 * @example
 * ```ts
 * import Cognito from 'lib-auth/providers/cognito'
 *
 * // AUTH_COGNITO_ID, AUTH_COGNITO_SECRET and AUTH_COGNITO_ISSUER are read where options are left out.
 * export const providers = [Cognito]
 * ```
 */
export default function Cognito<const Id extends string = ''>(
  options: OIDCUserConfig<CognitoProfile, Id> = {},
): OIDCConfig<CognitoProfile, 'cognito', Id> {
  const { issuer = '' } = options
  if (NOT_AN_ISSUER.test(issuer))
    throw new InvalidConfiguration(
      `issuer of the Cognito provider does not name a user pool (got "${issuer}"). Set it to https://cognito-idp.<region>.amazonaws.com/<user pool id>.`,
    )
  return {
    id: 'cognito',
    name: 'Cognito',
    type: 'oidc',
    isIssuer: isSameIssuer,
    endSession: { redirectParameter: 'logout_uri' },
    style: { brandColor: '#c17b9e' },
    options,
  }
}
