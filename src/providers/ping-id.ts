import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import { InvalidConfiguration } from '../core/errors/classes.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a PingOne ID token. */
export interface PingProfile extends Profile {
  sub: string
  /** Environment id. */
  env?: string
  /** Organization id. */
  org?: string
  preferred_username?: string
  name?: string
  given_name?: string
  family_name?: string
  email?: string
  picture?: string
}

const PINGONE = /^https:\/\/auth\.pingone\.[a-z.]+(?:\/|$)/
const ISSUER = /^https:\/\/[^/]+\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\/as\/?$/i

/**
 * PingOne of Ping Identity (OpenID Connect).
 *
 * `issuer` is the issuer ID of the application: `https://auth.pingone.<com | eu | ca | asia>/<environment id>/as`, or that
 * of a custom domain.
 *
 * `trustEmail` is `false`: administrators of an environment can set any e-mail address without a verification.
 *
 * @see https://docs.pingidentity.com/pingone/
 * @example
 * ```ts
 * import PingId from 'lib-auth/providers/ping-id'
 *
 * const environment = '00000000-0000-0000-0000-000000000000'
 * export const providers = [PingId({ issuer: `https://auth.pingone.eu/${environment}/as` })]
 * ```
 */
export default function PingId<const Id extends string = ''>(
  options: OIDCUserConfig<PingProfile, Id> = {},
): OIDCConfig<PingProfile, 'ping-id', Id> {
  const { issuer = '' } = options
  if (PINGONE.test(issuer) && !ISSUER.test(issuer))
    throw new InvalidConfiguration(
      `issuer of the PingOne provider does not name an environment (got "${issuer}"). Set it to https://auth.pingone.com/<environment id>/as.`,
    )
  return {
    id: 'ping-id',
    name: 'Ping Identity',
    type: 'oidc',
    isIssuer: isSameIssuer,
    options,
  }
}
