import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig, UserinfoEndpoint } from '../core/config/provider.ts'
import { InvalidConfiguration } from '../core/errors/classes.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of NetSuite, as returned by your RESTlet. */
export interface NetSuiteProfile extends Omit<Profile, 'id'> {
  id: number
  name: string
  email: string
  location?: number
  /** Internal id of the role. */
  role?: number
  roleId?: string
  roleCenter?: string
  contact?: number
  subsidiary?: number
  department?: number
}

/** Options of the NetSuite provider. */
export interface OAuthNetSuiteOptions<Id extends string = string> extends OAuthUserConfig<
  NetSuiteProfile,
  Id
> {
  /** Account id, for example `1234567` or `1234567_SB1`. */
  accountID: string
  /** URL of a RESTlet that returns `runtime.getCurrentUser()`. */
  userinfo: string | UserinfoEndpoint
  /** Whether NetSuite asks for a login or consent. @default only if necessary */
  prompt?: 'none' | 'login' | 'consent' | undefined
  /** Separated by spaces. @default 'restlets rest_webservices' */
  scope?: string | undefined
}

/** The account id as in host names. */
function accountHost(accountID: string | undefined): string {
  const host = accountID?.toLowerCase().replaceAll('_', '-') ?? ''
  if (/^[\da-z-]+$/.test(host)) return host
  throw new InvalidConfiguration(
    `Provider netsuite has no valid accountID (got "${accountID ?? ''}"). Set it to the account id of NetSuite: NetSuite({ accountID: "1234567", userinfo }).`,
  )
}

/**
 * NetSuite (OAuth).
 *
 * NetSuite has no userinfo endpoint: deploy a RESTlet that returns `id`, `name` and `email` of
 * `runtime.getCurrentUser()` as JSON, and set `userinfo` to its external URL.
 *
 * `trustEmail` is `false`: administrators of an account set the addresses of its users.
 *
 * @throws InvalidConfiguration if `accountID` is missing or is not an account id
 * @see https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_157771281570.html
 * @example
 * ```ts
 * import NetSuite from 'lib-auth/providers/netsuite'
 *
 * export const providers = [
 *   NetSuite({
 *     accountID: '1234567',
 *     userinfo:
 *       'https://1234567.restlets.api.netsuite.com/app/site/hosting/restlet.nl?script=42&deploy=1',
 *   }),
 * ]
 * ```
 */
export default function NetSuite<const Id extends string = ''>({
  accountID,
  prompt,
  scope = 'restlets rest_webservices',
  ...options
}: OAuthNetSuiteOptions<Id>): OAuth2Config<NetSuiteProfile, 'netsuite', Id> {
  const host = accountHost(accountID)
  return {
    id: 'netsuite',
    name: 'NetSuite',
    type: 'oauth',
    authorization: {
      url: `https://${host}.app.netsuite.com/app/login/oauth2/authorize.nl`,
      params: { scope, ...(prompt && { prompt }) },
    },
    token: `https://${host}.suitetalk.api.netsuite.com/services/rest/auth/oauth2/v1/token`,
    checks: ['state'],
    profile: (profile) => ({
      id: accountId(profile.id),
      name: profile.name ?? null,
      email: profile.email ?? null,
      image: null,
    }),
    style: { brandColor: '#181a1b' },
    options,
  }
}
