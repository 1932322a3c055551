import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Profile of a user of WorkOS (`GET /sso/profile`). */
export interface WorkOSProfile extends Profile {
  object: 'profile'
  id: string
  organization_id: string | null
  connection_id: string
  connection_type: string
  /** Id of the user at the identity provider. */
  idp_id: string
  email: string
  first_name: string | null
  last_name: string | null
  /** Claims of the identity provider. */
  raw_attributes?: { picture?: string; [claim: string]: unknown } | null
}

/** Options of the WorkOS provider. */
export interface WorkOSOptions<Id extends string = string> extends OAuthUserConfig<
  WorkOSProfile,
  Id
> {
  /** Id of an SSO connection. @default none: pass `connection`, `organization` or `provider` to `signIn` */
  connection?: string
  /** URL of the API. @default 'https://api.workos.com' */
  issuer?: string | undefined
}

/**
 * WorkOS SSO (OAuth).
 *
 * WorkOS requires one of the parameters `connection`, `organization` and `provider`: set `connection`, or pass one of
 * them to `signIn` as authorization parameter.
 *
 * `trustEmail` is `false`: the administrator of an identity provider can set any address without a verification.
 *
 * @see https://workos.com/docs/reference/sso
 * @example
 * ```ts
 * import WorkOS from 'lib-auth/providers/workos'
 *
 * export const providers = [WorkOS({ connection: 'conn_01E4ZCR3C56J083X43JQXF3JK5' })]
 * ```
 */
export default function WorkOS<const Id extends string = ''>({
  connection,
  ...options
}: WorkOSOptions<Id> = {}): OAuth2Config<WorkOSProfile, 'workos', Id> {
  const base = (options.issuer ?? 'https://api.workos.com').replace(/\/+$/, '')
  return {
    id: 'workos',
    name: 'WorkOS',
    type: 'oauth',
    authorization: { url: `${base}/sso/authorize`, params: { connection } },
    token: `${base}/sso/token`,
    userinfo: `${base}/sso/profile`,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: (profile) => ({
      id: profile.id,
      name: [profile.first_name, profile.last_name].filter(Boolean).join(' ') || null,
      email: profile.email,
      image: profile.raw_attributes?.picture ?? null,
    }),
    style: { brandColor: '#6363f1' },
    options,
  }
}
