import { accountId } from '../core/flows/oauth/account-id.ts'
import type {
  OAuth2Config,
  OAuthProviderContext,
  OAuthUserConfig,
  TokenRequest,
  TokensRequest,
} from '../core/config/provider.ts'
import type { Profile, TokenSet } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of VK ID (`POST /oauth2/user_info`). */
export interface VkProfile extends Profile {
  user: {
    user_id: string | number
    first_name: string
    last_name: string
    avatar?: string
    /** Requires the scope `email`. */
    email?: string
    /** Requires the scope `phone`. */
    phone?: string
    /** 1: female, 2: male, 0: unknown. */
    sex?: 0 | 1 | 2
    /** Whether VK has verified the account, not the address. */
    verified?: boolean
    /** `DD.MM.YYYY`. */
    birthday?: string
  }
}

const ORIGIN = 'https://id.vk.com'
const TOKEN = `${ORIGIN}/oauth2/auth`
const USERINFO = `${ORIGIN}/oauth2/user_info`

function send(
  url: string | URL,
  form: Record<string, string>,
  { fetch, clientId }: OAuthProviderContext,
): Promise<Response> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams({ client_id: clientId, ...form })
  return fetch(url, { method: 'POST', headers, body })
}

async function post<T extends object>(...request: Parameters<typeof send>): Promise<T> {
  const response = await send(...request)
  if (!response.ok) throw new Error(`VK responded with status ${response.status}.`)
  const result: T & { error?: string } = await response.json()
  // VK reports errors with status 200.
  if (result.error) throw new Error(`VK responded with the error ${result.error}.`)
  return result
}

/** Sends `device_id`, which VK adds to the authorization response. */
async function requestTokens({
  params,
  checks,
  redirectUri,
  provider,
}: TokenRequest): Promise<{ tokens: TokenSet }> {
  const { code = '', device_id = '', state = '' } = params
  const form = {
    grant_type: 'authorization_code',
    code,
    code_verifier: checks.code_verifier ?? '',
    device_id,
    redirect_uri: redirectUri,
    state,
  }
  const tokens = await post<TokenSet>(provider.token?.url ?? TOKEN, form, provider)
  return { tokens: withDevice(tokens, device_id) }
}

/** VK requires the device id for a refresh, too; it is kept with the refresh token. */
function withDevice(tokens: { refresh_token?: string }, device: string): TokenSet {
  if (tokens.refresh_token) tokens.refresh_token += ` ${device}`
  return tokens
}

async function refresh({ tokens, provider }: TokensRequest): Promise<Response> {
  const [refresh_token = '', device_id = ''] = (tokens.refresh_token ?? '').split(' ')
  const form = { grant_type: 'refresh_token', refresh_token, device_id }
  const url = provider.refresh?.url ?? provider.token?.url ?? TOKEN
  const response = await send(url, form, provider)
  return Response.json(withDevice(await response.json(), device_id), response)
}

async function userinfo({
  tokens,
  provider,
}: {
  tokens: TokenSet
  provider: OAuthProviderContext
}): Promise<Profile> {
  const form = { access_token: tokens.access_token ?? '' }
  return post<Profile>(provider.userinfo?.url ?? USERINFO, form, provider)
}

/**
 * VK ID (OAuth).
 *
 * Create the application in the console of VK ID: the former authorization at `oauth.vk.com` is not used. VK ID
 * authenticates the token request by PKCE, and needs no client secret.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-integration/api-description
 * @example
 * ```ts
 * import VK from 'lib-auth/providers/vk'
 *
 * // AUTH_VK_ID is read where options are left out.
 * export const providers = [VK]
 * ```
 */
export default function VK<const Id extends string = ''>(
  options: OAuthUserConfig<VkProfile, Id> = {},
): OAuth2Config<VkProfile, 'vk', Id> {
  return {
    id: 'vk',
    name: 'VK',
    type: 'oauth',
    authorization: {
      url: `${ORIGIN}/authorize`,
      params: { scope: 'vkid.personal_info email' },
    },
    token: { url: TOKEN, request: requestTokens },
    refresh: { request: refresh },
    revocation: {
      url: `${ORIGIN}/oauth2/revoke`,
      tokenType: 'access_token',
      tokenParameter: 'access_token',
    },
    userinfo: { url: USERINFO, request: userinfo },
    client: { token_endpoint_auth_method: 'none' },
    profile: ({ user }) => ({
      id: accountId(user.user_id),
      name: [user.first_name, user.last_name].filter(Boolean).join(' ') || null,
      email: user.email || null,
      image: user.avatar,
    }),
    style: { brandColor: '#07f', icon: () => import('./_icons/vk.ts') },
    options,
  }
}
