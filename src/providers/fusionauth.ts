import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import { InvalidConfiguration } from '../core/errors/classes.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a FusionAuth ID token. */
export interface FusionAuthProfile extends Profile {
  aud: string
  exp: number
  iat: number
  iss: string
  sub: string
  jti: string
  authenticationType: string
  email: string
  email_verified: boolean
  preferred_username?: string
  name?: string
  given_name?: string
  middle_name?: string
  family_name?: string
  at_hash: string
  c_hash: string
  scope: string
  sid: string
}

/** Options of the FusionAuth provider. */
export interface FusionAuthOptions<Id extends string = string> extends OIDCUserConfig<
  FusionAuthProfile,
  Id
> {
  /** Id of the tenant, if the server has more than one; requires `issuer` in the options. */
  tenantId?: string
}

/** The parameters that select a tenant. Throws InvalidConfiguration if the id is not a UUID. */
function tenant(tenantId: string, { issuer }: FusionAuthOptions) {
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(tenantId))
    throw new InvalidConfiguration(
      `tenantId of the FusionAuth provider is not a UUID (got "${tenantId}"). Set it to the id of the tenant, and issuer to its URL.`,
    )
  const query = new URLSearchParams({ tenantId })
  const base = issuer?.replace(/\/+$/, '')
  return {
    params: { tenantId },
    ...(base && { wellKnown: `${base}/.well-known/openid-configuration?${query}` }),
  }
}

/**
 * FusionAuth (OpenID Connect).
 *
 * `issuer` is the URL of the server, and must equal the issuer in the settings of the tenant. The scope
 * `offline_access` requests a refresh token.
 *
 * `trustEmail` is `false`: administrators and upstream identity providers can set `email_verified` without a
 * verification. Set it to `true` for a server of your own that verifies every address.
 *
 * @see https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/endpoints
 * @example
 * ```ts
 * import FusionAuth from 'lib-auth/providers/fusionauth'
 *
 * export const providers = [FusionAuth({ issuer: 'https://id.example.com' })]
 * ```
 */
export default function FusionAuth<const Id extends string = ''>({
  tenantId,
  ...options
}: FusionAuthOptions<Id> = {}): OIDCConfig<FusionAuthProfile, 'fusionauth', Id> {
  const { params, ...metadata } = tenantId ? tenant(tenantId, options) : {}
  return {
    id: 'fusionauth',
    name: 'FusionAuth',
    type: 'oidc',
    ...metadata,
    authorization: { params: { scope: 'openid offline_access email profile', ...params } },
    ...(params && { endSession: { params } }),
    isIssuer: isSameIssuer,
    profile: (profile) => {
      const { given_name, middle_name, family_name } = profile
      const full = [given_name, middle_name, family_name].filter(Boolean).join(' ')
      return {
        id: profile.sub,
        name: profile.name ?? profile.preferred_username ?? (full || null),
        email: profile.email,
        image: profile.picture,
      }
    },
    style: { icon: () => import('./_icons/fusionauth.ts') },
    options,
  }
}
