import type { OIDCConfig } from '../core/config/provider.ts'
import { InvalidConfiguration } from '../core/errors/classes.ts'
import MicrosoftEntraID from './microsoft-entra-id.ts'
import type { MicrosoftEntraIDOptions, MicrosoftEntraIDProfile } from './microsoft-entra-id.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
export type { MicrosoftEntraIDProfile as AzureADProfile } from './microsoft-entra-id.ts'

/**
 * Azure Active Directory (OpenID Connect), the former name of Microsoft Entra ID.
 *
 * Accounts and the callback URL contain the id of the provider, `azure-ad`. To keep both when you replace this
 * provider, set `id` as in the example.
 *
 * @deprecated use `lib-auth/providers/microsoft-entra-id`
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/
 * @example
 * ```ts
 * import MicrosoftEntraID from 'lib-auth/providers/microsoft-entra-id'
 *
 * export const providers = [MicrosoftEntraID({ id: 'azure-ad' })]
 * ```
 */
export default function AzureAD<const Id extends string = ''>(
  options: MicrosoftEntraIDOptions<Id> = {},
): OIDCConfig<MicrosoftEntraIDProfile, 'azure-ad', Id> {
  // Ignoring the option would let users of every tenant sign in.
  if ('tenantId' in options)
    throw new InvalidConfiguration(
      'tenantId is not an option. Set issuer to https://login.microsoftonline.com/<tenant>/v2.0.',
    )
  return {
    ...MicrosoftEntraID(options),
    id: 'azure-ad',
    name: 'Azure Active Directory',
    deprecated: "Use lib-auth/providers/microsoft-entra-id with id: 'azure-ad'.",
  }
}
