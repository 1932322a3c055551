import type {
  IssuerContext,
  OIDCConfig,
  OIDCUserConfig,
  ProfileContext,
} from '../config/provider.ts'
import type { Profile, TokenSet } from '../types.ts'

/** Claims of a Microsoft Entra ID token (version 2.0). */
export interface MicrosoftEntraIDProfile extends Profile {
  sub: string
  /** The person, in the directory; the same in all applications. */
  oid: string
  /** The directory. */
  tid: string
  email: string
  name: string
  preferred_username: string
  ver: '2.0'
}

/** Options of the Microsoft Entra ID provider. */
export interface MicrosoftEntraIDOptions extends OIDCUserConfig<MicrosoftEntraIDProfile> {
  /** Also fetch the picture, in this many pixels, with a request to Microsoft Graph. @default none */
  profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648
}

/** The directory of private accounts, which belongs to no organisation. */
const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'
const TENANT = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const SHARED_ISSUER = /^(https:\/\/[^/]+)\/(common|organizations|consumers)\/v2\.0$/

/** Whether people of a directory may use a shared issuer. */
function isAdmitted(tenant: string, audience: string | undefined): boolean {
  if (audience === 'consumers') return tenant === CONSUMERS
  return audience === 'common' || tenant !== CONSUMERS
}

/** Issuers that several directories share: each token names the directory it is from. */
function isIssuer(stated: string, { issuer, claims }: IssuerContext): boolean {
  const [, host, audience] = SHARED_ISSUER.exec(issuer) ?? []
  if (!host) return stated === issuer
  // The metadata has a placeholder where tokens have a directory, unless there is only one.
  const { tid = audience === 'consumers' ? CONSUMERS : '{tenantid}' } = claims ?? {}
  if (stated !== `${host}/${String(tid)}/v2.0`) return false
  return !claims || (typeof tid === 'string' && TENANT.test(tid) && isAdmitted(tid, audience))
}

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

async function photo(size: number, { access_token }: TokenSet, { fetch }: ProfileContext) {
  const url = `https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`
  const response = await fetch(url, { headers: { authorization: `Bearer ${access_token}` } })
  if (!response.ok) return null
  return `data:image/jpeg;base64,${toBase64(new Uint8Array(await response.arrayBuffer()))}`
}

/**
 * Microsoft Entra ID, by OpenID Connect.
 *
 * `issuer` is `https://login.microsoftonline.com/<tenant>/v2.0`; without it, people of every directory and
 * with private accounts are let in. Who they are is then said by `tid` and `oid`: their e-mail addresses are
 * not verified and must not be believed: `trustEmail` stays `false`, because administrators of a directory can enter any
 * address.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 * @example
 * ```ts
 * import MicrosoftEntraID from 'lib-auth/providers/microsoft-entra-id'
 *
 * const tenant = '00000000-0000-0000-0000-000000000000'
 * export const providers = [
 *   MicrosoftEntraID({ issuer: `https://login.microsoftonline.com/${tenant}/v2.0` }),
 * ]
 * ```
 */
export default function MicrosoftEntraID({
  profilePhotoSize,
  ...options
}: MicrosoftEntraIDOptions = {}): OIDCConfig<MicrosoftEntraIDProfile> {
  return {
    id: 'microsoft-entra-id',
    name: 'Microsoft Entra ID',
    type: 'oidc',
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    isIssuer,
    authorization: { params: { scope: 'openid profile email User.Read' } },
    profile: async (profile, tokens, context) => ({
      id: profile.sub,
      name: profile.name,
      email: profile.email,
      image: profilePhotoSize ? await photo(profilePhotoSize, tokens, context) : null,
    }),
    style: { brandColor: '#0072c6' },
    options,
  }
}
