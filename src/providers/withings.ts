import type {
  OAuth2Config,
  OAuthProviderContext,
  OAuthUserConfig,
} from '../core/config/provider.ts'
import type { Profile, TokenSet } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** The user of a Withings token response. */
export interface WithingsProfile extends Profile {
  userid: string
}

/** Reads the tokens from the envelope of the API, which reports errors with status 200. */
async function conform(response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`Withings responded with HTTP status ${response.status}.`)
  const { status, body, error }: { status?: unknown; body?: TokenSet; error?: unknown } =
    await response.json()
  if (status !== 0 || !body)
    throw new Error(`Withings responded with status ${String(status)}: ${String(error)}.`)
  return Response.json({ ...body, token_type: 'bearer' })
}

function userinfo({ tokens }: { tokens: TokenSet; provider: OAuthProviderContext }): Profile {
  const { userid } = tokens
  if (typeof userid === 'number' && Number.isSafeInteger(userid)) return { userid: String(userid) }
  if (typeof userid === 'string' && userid) return { userid }
  throw new Error('The token response of Withings has no userid.')
}

/**
 * Withings (OAuth).
 *
 * The callback URL must be https, and cannot be `localhost`. The token response identifies the user: Withings reports
 * no name, e-mail address or picture. Scopes are separated by commas.
 *
 * @see https://developer.withings.com/api-reference/#tag/oauth2
 * @example
 * ```ts
 * import Withings from 'lib-auth/providers/withings'
 *
 * // AUTH_WITHINGS_ID and AUTH_WITHINGS_SECRET are read where options are left out.
 * export const providers = [Withings]
 * ```
 */
export default function Withings<const Id extends string = ''>(
  options: OAuthUserConfig<WithingsProfile, Id> = {},
): OAuth2Config<WithingsProfile, 'withings', Id> {
  return {
    id: 'withings',
    name: 'Withings',
    type: 'oauth',
    authorization: {
      url: 'https://account.withings.com/oauth2_user/authorize2',
      params: { scope: 'user.info' },
    },
    token: {
      url: 'https://wbsapi.withings.net/v2/oauth2',
      params: { action: 'requesttoken' },
      conform,
    },
    userinfo: { request: userinfo },
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ userid }) => ({ id: userid, name: null, email: null, image: null }),
    options,
  }
}
