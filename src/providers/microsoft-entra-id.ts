import type {
  IssuerContext,
  OIDCConfig,
  OIDCUserConfig,
  ProfileContext,
} from '../core/config/provider.ts'
import { InvalidConfiguration } from '../core/errors/classes.ts'
import type { Profile, TokenSet } from '../core/types.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Microsoft Entra ID token (version 2.0). */
export interface MicrosoftEntraIDProfile extends Profile {
  sub: string
  /** Object id of the user in the tenant; the same in all applications. */
  oid: string
  /** Tenant id. */
  tid: string
  email: string
  name: string
  preferred_username: string
  ver: '2.0'
}

/** Options of the Microsoft Entra ID provider. */
export interface MicrosoftEntraIDOptions<Id extends string = string> extends OIDCUserConfig<
  MicrosoftEntraIDProfile,
  Id
> {
  /** Size of the profile photo in pixels; fetches it from Microsoft Graph. @default none */
  profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648
}

const HOST = 'https://login.microsoftonline.com'
/** Tenant of personal Microsoft accounts. */
const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'
const TENANT = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const SHARED_ISSUER = /^(https:\/\/[^/]+)\/(common|organizations|consumers)\/v2\.0\/?$/

const ONLY_TENANT = /^(?:(https:\/\/[^/]+)\/)?([^/]+)\/?$/

/** Validates multi-tenant issuers: each token names its own tenant. */
function isIssuer(stated: string, { issuer, claims }: IssuerContext): boolean {
  const [, host, audience] = SHARED_ISSUER.exec(issuer) ?? []
  if (!host) return stated === issuer
  const isConsumers = audience === 'consumers'
  // Metadata of a multi-tenant issuer contains a placeholder for the tenant, except for `consumers`.
  const { tid = isConsumers ? CONSUMERS : '{tenantid}' } = claims ?? {}
  if (stated !== `${host}/${String(tid)}/v2.0`) return false
  if (!claims) return true
  const isAdmitted = audience === 'common' || isConsumers === (tid === CONSUMERS)
  return typeof tid === 'string' && TENANT.test(tid) && isAdmitted
}

async function photo(size: number, { access_token }: TokenSet, { fetch }: ProfileContext) {
  const url = `https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`
  const response = await fetch(url, { headers: { authorization: `Bearer ${access_token}` } })
  if (!response.ok) return null
  const bytes = new Uint8Array(await response.arrayBuffer())
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return `data:image/jpeg;base64,${btoa(binary)}`
}

/**
 * Microsoft Entra ID (OpenID Connect).
 *
 * `issuer` is `https://login.microsoftonline.com/<tenant>/v2.0`. By default, users of every tenant and personal
 * accounts can sign in; identify them by `tid` and `oid`, not by their address.
 *
 * `trustEmail` is `false`: administrators of a tenant can set any e-mail address without a verification.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 * @example
 * ```ts
 * import MicrosoftEntraID from 'lib-auth/providers/microsoft-entra-id'
 *
 * // AUTH_MICROSOFT_ENTRA_ID_ID, _SECRET and _ISSUER are read where options are left out.
 * export const providers = [MicrosoftEntraID]
 * ```
 */
export default function MicrosoftEntraID<const Id extends string = ''>({
  profilePhotoSize,
  ...options
}: MicrosoftEntraIDOptions<Id> = {}): OIDCConfig<
  MicrosoftEntraIDProfile,
  'microsoft-entra-id',
  Id
> {
  const { issuer } = options
  const [, host = HOST, tenant] = ONLY_TENANT.exec(issuer ?? '') ?? []
  if (tenant)
    throw new InvalidConfiguration(
      `issuer is incomplete (got "${issuer}"). Set it to ${host}/${tenant}/v2.0.`,
    )
  return {
    id: 'microsoft-entra-id',
    name: 'Microsoft Entra ID',
    type: 'oidc',
    issuer: `${HOST}/common/v2.0`,
    isIssuer,
    authorization: { params: { scope: 'openid profile email User.Read' } },
    profile: async (profile, tokens, context) => ({
      id: profile.sub,
      name: profile.name,
      email: profile.email,
      image: profilePhotoSize ? await photo(profilePhotoSize, tokens, context) : null,
    }),
    style: { brandColor: '#0072c6', icon: () => import('./_icons/microsoft.ts') },
    options,
  }
}
