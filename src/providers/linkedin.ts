import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a LinkedIn ID token. */
export interface LinkedInProfile extends Omit<Profile, 'email_verified' | 'locale'> {
  /** Identifies the member for one application only. */
  sub: string
  name: string
  given_name: string
  family_name: string
  picture: string
  locale: string | { country: string; language: string }
  /** Absent if the member has no primary address. */
  email?: string
  /** LinkedIn also sends it as text. */
  email_verified?: boolean | 'true' | 'false'
}

/**
 * LinkedIn (OpenID Connect).
 *
 * The application needs the product "Sign In with LinkedIn using OpenID Connect". LinkedIn supports neither PKCE nor a
 * nonce in this flow.
 *
 * `trustEmail` is `false`: `email_verified` can be text, and LinkedIn does not document how it verifies addresses.
 *
 * @see https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 * @example
 * ```ts
 * import LinkedIn from 'lib-auth/providers/linkedin'
 *
 * // AUTH_LINKEDIN_ID and AUTH_LINKEDIN_SECRET are read where options are left out.
 * export const providers = [LinkedIn]
 * ```
 */
export default function LinkedIn<const Id extends string = ''>(
  options: OIDCUserConfig<LinkedInProfile, Id> = {},
): OIDCConfig<LinkedInProfile, 'linkedin', Id> {
  return {
    id: 'linkedin',
    name: 'LinkedIn',
    type: 'oidc',
    issuer: 'https://www.linkedin.com/oauth',
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    style: { brandColor: '#069' },
    options,
  }
}
