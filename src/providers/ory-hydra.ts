import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of an Ory Hydra ID token. The consent application decides on those about the user. */
export interface OryHydraProfile extends Profile {
  sub: string
  iss: string
  aud: string[]
  acr?: string
  amr?: string[]
  /** Session id at Hydra. */
  sid?: string
}

/**
 * Ory Hydra and Ory Network (OpenID Connect).
 *
 * `issuer` is the public URL of Hydra, or `https://<project>.projects.oryapis.com` for Ory Network. The id of the provider is
 * `hydra`, so the environment variables are AUTH_HYDRA_ID, AUTH_HYDRA_SECRET and AUTH_HYDRA_ISSUER.
 *
 * `trustEmail` is `false`: the consent application can set `email_verified` without a verification. Set it to `true` for a
 * project of your own that verifies every address.
 *
 * @see https://www.ory.com/docs/hydra
 * @example
 * ```ts
 * import OryHydra from 'lib-auth/providers/ory-hydra'
 *
 * export const providers = [OryHydra({ issuer: 'https://example.projects.oryapis.com' })]
 * ```
 */
export default function OryHydra<const Id extends string = ''>(
  options: OIDCUserConfig<OryHydraProfile, Id> = {},
): OIDCConfig<OryHydraProfile, 'hydra', Id> {
  return {
    id: 'hydra',
    name: 'Hydra',
    type: 'oidc',
    isIssuer: isSameIssuer,
    endSession: { returnsWithoutHint: false },
    style: { brandColor: '#ffffff', icon: () => import('./_icons/ory.ts') },
    options,
  }
}
