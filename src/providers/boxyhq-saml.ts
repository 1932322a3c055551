import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Profile of a SAML user. */
export interface BoxyHQSAMLProfile extends Profile {
  id: string
  email: string
  firstName?: string
  lastName?: string
  roles?: string[]
  groups?: string[]
  requested?: { tenant?: string; product?: string }
}

/**
 * BoxyHQ SAML Jackson, now Ory Polis (OAuth).
 *
 * `issuer` is the URL of your deployment. Select the SAML connection with `tenant` and `product`; client id and secret
 * are then `dummy`. The alternative are the client id and secret of a connection.
 *
 * `trustEmail` is `false`: the administrator of a SAML connection can set any e-mail address without a verification.
 *
 * @see https://www.ory.sh/docs/polis
 * @example
 * ```ts
 * import SAMLJackson from 'lib-auth/providers/boxyhq-saml'
 *
 * export const providers = [
 *   SAMLJackson({
 *     issuer: 'https://sso.example.com',
 *     clientId: 'dummy',
 *     clientSecret: 'dummy',
 *     authorization: { params: { tenant: 'acme', product: 'shop' } },
 *   }),
 * ]
 * ```
 */
export default function SAMLJackson<const Id extends string = ''>(
  options: OAuthUserConfig<BoxyHQSAMLProfile, Id> = {},
): OAuth2Config<BoxyHQSAMLProfile, 'boxyhq-saml', Id> {
  const base = `${options.issuer?.replace(/\/*$/, '') ?? '{issuer}'}/api/oauth`
  return {
    id: 'boxyhq-saml',
    name: 'BoxyHQ SAML',
    type: 'oauth',
    authorization: { url: `${base}/authorize`, params: { provider: 'saml' } },
    token: `${base}/token`,
    userinfo: `${base}/userinfo`,
    isIssuer: isSameIssuer,
    profile: (profile) => ({
      id: profile.id,
      name: [profile.firstName, profile.lastName].filter(Boolean).join(' ') || null,
      email: profile.email ?? null,
      image: null,
    }),
    style: { brandColor: '#25c2a0' },
    options,
  }
}
