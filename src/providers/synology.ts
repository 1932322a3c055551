import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { instanceUrl } from './_instance.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of a Synology SSO Server (`/webman/sso/SSOUserInfo.cgi`). */
export interface SynologyProfile extends Profile {
  /** User name, with the domain or the host name. */
  sub: string
  username?: string
  email?: string
  groups?: string[]
}

/** Options of the Synology provider. */
export interface SynologyOptions<Id extends string = string> extends OAuthUserConfig<
  SynologyProfile,
  Id
> {
  /** URL of the NAS, for example `https://nas.example.com:5001`. */
  baseUrl: string
}

/**
 * Synology SSO Server (OAuth).
 *
 * Install the package SSO Server on the NAS, and turn on its OIDC service.
 *
 * `trustEmail` is `false`: administrators can set any e-mail address without a verification.
 *
 * @see https://kb.synology.com/en-global/DSM/help/SSOServer/sso_server_desc
 * @example
 * ```ts
 * import Synology from 'lib-auth/providers/synology'
 *
 * export const providers = [Synology({ baseUrl: 'https://nas.example.com:5001' })]
 * ```
 */
export default function Synology<const Id extends string = ''>({
  baseUrl,
  ...options
}: SynologyOptions<Id>): OAuth2Config<SynologyProfile, 'synology', Id> {
  const nas = instanceUrl(
    baseUrl,
    'baseUrl of the Synology provider',
    'https://nas.example.com:5001',
  )
  const base = `${nas}/webman/sso`
  return {
    id: 'synology',
    name: 'Synology SSO Server',
    type: 'oauth',
    authorization: { url: `${base}/SSOOauth.cgi`, params: { scope: 'openid email' } },
    token: `${base}/SSOAccessToken.cgi`,
    userinfo: `${base}/SSOUserInfo.cgi`,
    profile: (profile) => ({
      id: profile.sub,
      name: profile.username ?? null,
      email: profile.email ?? null,
      image: null,
    }),
    options,
  }
}
