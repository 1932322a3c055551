import type { IssuerContext, OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of an Azure AD B2C ID token. The user flow selects most of them. */
export interface AzureADB2CProfile extends Profile {
  sub: string
  aud: string
  exp: number
  iat: number
  iss: string
  nbf: number
  ver: string
  auth_time: number
  /** Object id of the user. */
  oid?: string
  /** User flow. */
  tfp?: string
  /** Identity provider of the user; absent for local accounts. */
  idp?: string
  name?: string
  given_name?: string
  family_name?: string
  preferred_username?: string
  /** Addresses, as user flows send them. */
  emails?: string[]
  /** The address, as custom policies send it. */
  email?: string
}

const CONFIGURED = /^(https:\/\/[^/]+)\/(?:tfp\/)?([^/]+)\/([^/]+)\/v2\.0\/?$/
const TENANT = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const STATED = /^(https:\/\/[^/]+)\/(?:([^/]+)|tfp\/([^/]+)\/([^/]+))\/v2\.0\/$/

/** Validates the issuer, which contains the id of the tenant, and the user flow only if that is configured. */
function isIssuer(stated: string, context: IssuerContext): boolean {
  if (isSameIssuer(stated, context)) return true
  const [, host, tenant = '', flow = ''] = CONFIGURED.exec(context.issuer) ?? []
  const [, statedHost, id, idWithFlow, statedFlow = flow] = STATED.exec(stated) ?? []
  const statedTenant = id ?? idWithFlow ?? ''
  return (
    host !== undefined &&
    host === statedHost &&
    TENANT.test(statedTenant) &&
    (!TENANT.test(tenant) || tenant.toLowerCase() === statedTenant.toLowerCase()) &&
    flow.toLowerCase() === statedFlow.toLowerCase()
  )
}

/**
 * Azure AD B2C (OpenID Connect).
 *
 * `issuer` is `https://<tenant>.b2clogin.com/<tenant>.onmicrosoft.com/<user flow>/v2.0`. Select the claims Display Name
 * and Email Addresses in the user flow. Microsoft does not offer Azure AD B2C to new customers; its successor is
 * Microsoft Entra External ID.
 *
 * `trustEmail` is `false`: the address of an upstream identity provider, or one that an administrator set, is not
 * verified.
 *
 * @see https://learn.microsoft.com/en-us/azure/active-directory-b2c/openid-connect
 * @example
 * ```ts
 * import AzureADB2C from 'lib-auth/providers/azure-ad-b2c'
 *
 * export const providers = [
 *   AzureADB2C({ issuer: 'https://acme.b2clogin.com/acme.onmicrosoft.com/B2C_1_signin/v2.0' }),
 * ]
 * ```
 */
export default function AzureADB2C<const Id extends string = ''>(
  options: OIDCUserConfig<AzureADB2CProfile, Id> = {},
): OIDCConfig<AzureADB2CProfile, 'azure-ad-b2c', Id> {
  return {
    id: 'azure-ad-b2c',
    name: 'Azure AD B2C',
    type: 'oidc',
    isIssuer,
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name ?? profile.preferred_username ?? null,
      email: profile.emails?.[0] ?? profile.email ?? null,
      image: null,
    }),
    style: { brandColor: '#0072c6', icon: () => import('./_icons/microsoft.ts') },
    options,
  }
}
