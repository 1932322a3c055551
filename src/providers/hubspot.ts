import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig, UserinfoRequest } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** The HubSpot user and account of an access token (`POST /oauth/2026-03/token/introspect`). */
export interface HubSpotProfile extends Profile {
  active: boolean
  user_id: number
  /** E-mail address of the user who installed the app. */
  user: string
  hub_id: number
  hub_domain: string
  app_id: number
  scopes: string[]
}

const INTROSPECTION = 'https://api.hubapi.com/oauth/2026-03/token/introspect'

/** Introspects the access token (RFC 7662 §2), because HubSpot has no userinfo endpoint. */
async function userinfo({ tokens, provider }: UserinfoRequest): Promise<Profile> {
  const body = new URLSearchParams({
    client_id: provider.clientId,
    client_secret: provider.clientSecret ?? '',
    token: tokens.access_token ?? '',
    token_type_hint: 'access_token',
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const url = provider.userinfo?.url ?? INTROSPECTION
  const response = await provider.fetch(url, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`HubSpot responded with status ${response.status}.`)
  const profile: Profile = await response.json()
  if (profile['active'] !== true) throw new Error('HubSpot reports an inactive access token.')
  return profile
}

/**
 * HubSpot (OAuth).
 *
 * The user chooses a HubSpot account and installs the app in it; this requires the permission to install apps.
 *
 * `trustEmail` is `false`: HubSpot reports no `email_verified`, and administrators of an account add its users.
 *
 * @see https://developers.hubspot.com/docs/api-reference/latest/authentication/oauth-tokens
 * @example
 * ```ts
 * import HubSpot from 'lib-auth/providers/hubspot'
 *
 * // AUTH_HUBSPOT_ID and AUTH_HUBSPOT_SECRET are read where options are left out.
 * export const providers = [HubSpot]
 * ```
 */
export default function HubSpot<const Id extends string = ''>(
  options: OAuthUserConfig<HubSpotProfile, Id> = {},
): OAuth2Config<HubSpotProfile, 'hubspot', Id> {
  return {
    id: 'hubspot',
    name: 'HubSpot',
    type: 'oauth',
    authorization: {
      url: 'https://app.hubspot.com/oauth/authorize',
      params: { scope: 'oauth' },
    },
    token: 'https://api.hubapi.com/oauth/2026-03/token',
    userinfo: { url: INTROSPECTION, request: userinfo },
    revocation: 'https://api.hubapi.com/oauth/2026-03/token/revoke',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: (profile) => ({
      id: accountId(profile.user_id),
      // HubSpot reports no name of the user.
      name: profile.user,
      email: profile.user,
      image: null,
    }),
    style: { brandColor: '#ff7a59', icon: () => import('./_icons/hubspot.ts') },
    options,
  }
}
