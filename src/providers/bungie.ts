import type {
  OAuth2Config,
  OAuthProviderContext,
  OAuthUserConfig,
} from '../core/config/provider.ts'
import type { Profile, TokenSet } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Accounts of a Bungie user (`GET /User/GetMembershipsForCurrentUser/`). */
export interface BungieProfile extends Profile {
  Response: {
    bungieNetUser: {
      membershipId: string
      displayName: string
      uniqueName?: string
      /** Path below `https://www.bungie.net`. */
      profilePicturePath?: string | null
      locale?: string
      about?: string
      isDeleted?: boolean
    }
    destinyMemberships?: {
      membershipId: string
      membershipType: number
      displayName: string
    }[]
    primaryMembershipId?: string
  }
}

const ORIGIN = 'https://www.bungie.net'
const USERINFO = `${ORIGIN}/platform/User/GetMembershipsForCurrentUser/`

async function userinfo({
  tokens,
  provider: { id, apiKey, fetch, userinfo: endpoint },
}: {
  tokens: TokenSet
  provider: OAuthProviderContext
}): Promise<Profile> {
  if (!apiKey)
    throw new Error(
      `Provider ${id} has no apiKey. Set it, or AUTH_BUNGIE_KEY in the environment, to the API key of your application.`,
    )
  const response = await fetch(endpoint?.url ?? USERINFO, {
    headers: { authorization: `Bearer ${tokens.access_token}`, 'x-api-key': apiKey },
  })
  if (!response.ok) throw new Error(`Bungie responded with status ${response.status}.`)
  const profile: Profile = await response.json()
  // `1`: success. Bungie reports some errors with status 200.
  if (profile['ErrorCode'] !== 1)
    throw new Error(`Bungie responded with ErrorCode ${String(profile['ErrorCode'])}.`)
  return profile
}

function pictureUrl(path: string | null | undefined): string | null {
  return path ? `${ORIGIN}/${path.replace(/^\//, '')}` : null
}

/**
 * Bungie (OAuth).
 *
 * Bungie requires the API key of the application in addition to client id and secret: set `apiKey`, or
 * `AUTH_BUNGIE_KEY`. Choose the client type Confidential. The callback URL must be https, and cannot be `localhost`.
 *
 * Bungie reports no e-mail address.
 *
 * @see https://github.com/Bungie-net/api/wiki/OAuth-Documentation
 * @example
 * ```ts
 * import Bungie from 'lib-auth/providers/bungie'
 *
 * // AUTH_BUNGIE_ID, AUTH_BUNGIE_SECRET and AUTH_BUNGIE_KEY are read where options are left out.
 * export const providers = [Bungie]
 * ```
 */
export default function Bungie<const Id extends string = ''>(
  options: OAuthUserConfig<BungieProfile, Id> = {},
): OAuth2Config<BungieProfile, 'bungie', Id> {
  return {
    id: 'bungie',
    name: 'Bungie',
    type: 'oauth',
    authorization: { url: `${ORIGIN}/en/OAuth/Authorize`, params: { reauth: 'true' } },
    token: `${ORIGIN}/platform/app/oauth/token/`,
    userinfo: { url: USERINFO, request: userinfo },
    profile: ({ Response: { bungieNetUser } }) => ({
      id: bungieNetUser.membershipId,
      name: bungieNetUser.displayName ?? null,
      email: null,
      image: pictureUrl(bungieNetUser.profilePicturePath),
    }),
    options,
  }
}
