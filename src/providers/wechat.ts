import type {
  OAuth2Config,
  OAuthProviderContext,
  OAuthUserConfig,
  TokenRequest,
  TokensRequest,
  UserinfoRequest,
} from '../core/config/provider.ts'
import { InvalidConfiguration } from '../core/errors/classes.ts'
import type { Profile, TokenSet } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of WeChat (`GET /sns/userinfo`). */
export interface WeChatProfile extends Profile {
  /** Identifies the user for one account or application. */
  openid: string
  /** Identifies the user for all applications that are bound to the same account of the WeChat Open Platform. */
  unionid?: string
  nickname: string
  /** 1: male, 2: female, 0: unknown. */
  sex?: number
  province?: string
  city?: string
  country?: string
  /** Empty if the user has no picture. */
  headimgurl: string
  privilege?: string[]
}

/** Options of the WeChat provider. */
export interface WeChatOptions<Id extends string = string> extends OAuthUserConfig<
  WeChatProfile,
  Id
> {
  /**
   * `OfficialAccount`: sign-in inside WeChat; `WebsiteApp`: sign-in with a QR code in other browsers.
   * @default 'OfficialAccount'
   */
  platformType?: 'OfficialAccount' | 'WebsiteApp'
}

const TOKEN = 'https://api.weixin.qq.com/sns/oauth2/access_token'
const REFRESH = 'https://api.weixin.qq.com/sns/oauth2/refresh_token'
const USERINFO = 'https://api.weixin.qq.com/sns/userinfo'

const platforms: ReadonlyMap<string, { readonly path: string; readonly scope: string }> = new Map([
  ['OfficialAccount', { path: 'oauth2/authorize', scope: 'snsapi_userinfo' }],
  ['WebsiteApp', { path: 'qrconnect', scope: 'snsapi_login' }],
])

async function read<T extends object>(
  endpoint: string | URL,
  query: Record<string, string>,
  { fetch }: OAuthProviderContext,
): Promise<T> {
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const response = await fetch(url)
  if (!response.ok) throw new Error(`WeChat responded with status ${response.status}.`)
  const body: T & { errcode?: number } = await response.json()
  // WeChat reports errors with status 200.
  if (body.errcode) throw new Error(`WeChat responded with errcode ${body.errcode}.`)
  return body
}

/** Sends the client id and secret in the query, as WeChat requires. */
async function requestTokens({ params, provider }: TokenRequest): Promise<{ tokens: TokenSet }> {
  const query = {
    appid: provider.clientId,
    secret: provider.clientSecret ?? '',
    code: params['code'] ?? '',
    grant_type: 'authorization_code',
  }
  return { tokens: await read<TokenSet>(provider.token?.url ?? TOKEN, query, provider) }
}

/** A refresh token that is not valid has errcode 40030, and an expired one 42002. */
async function refresh({ tokens, provider }: TokensRequest): Promise<Response> {
  const url = new URL(provider.refresh?.url ?? REFRESH)
  url.search = new URLSearchParams({
    appid: provider.clientId,
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token ?? '',
  }).toString()
  const response = await provider.fetch(url)
  if (!response.ok) return response
  const body: { errcode?: number } = await response.json()
  const { errcode } = body
  if (!errcode) return Response.json({ token_type: 'bearer', ...body })
  const isRefused = errcode === 40030 || errcode === 42002
  const error = isRefused ? 'invalid_grant' : `errcode_${errcode}`
  return Response.json({ error }, { status: 400 })
}

async function userinfo({ tokens, provider }: UserinfoRequest): Promise<Profile> {
  const { access_token = '', openid } = tokens
  if (typeof openid !== 'string') throw new Error('The token response of WeChat has no openid.')
  return read(provider.userinfo?.url ?? USERINFO, { access_token, openid, lang: 'zh_CN' }, provider)
}

/**
 * WeChat (OAuth).
 *
 * Client id and secret are AppID and AppSecret. The account id is the `unionid`, or the `openid` if the application is
 * not bound to an account of the WeChat Open Platform: bind it before the first user signs in. WeChat reports no e-mail
 * address.
 *
 * @see https://developers.weixin.qq.com/doc/oplatform/Website_App/WeChat_Login/Wechat_Login.html
 * @example
 * ```ts
 * import WeChat from 'lib-auth/providers/wechat'
 *
 * // AUTH_WECHAT_ID and AUTH_WECHAT_SECRET are read where options are left out.
 * export const providers = [WeChat({ platformType: 'WebsiteApp' })]
 * ```
 */
export default function WeChat<const Id extends string = ''>({
  platformType = 'OfficialAccount',
  ...options
}: WeChatOptions<Id> = {}): OAuth2Config<WeChatProfile, 'wechat', Id> {
  const platform = platforms.get(platformType)
  if (!platform)
    throw new InvalidConfiguration(
      `Provider wechat has an unknown platformType (got "${platformType}"). Set it to OfficialAccount or WebsiteApp.`,
    )
  const { path, scope } = platform
  return {
    id: 'wechat',
    name: 'WeChat',
    type: 'oauth',
    clientIdParameter: 'appid',
    authorization: {
      url: `https://open.weixin.qq.com/connect/${path}#wechat_redirect`,
      // WeChat requires this order of parameters; each sign-in replaces the empty values.
      params: { appid: '', redirect_uri: '', response_type: 'code', scope, state: '' },
    },
    token: { url: TOKEN, request: requestTokens },
    refresh: { request: refresh },
    userinfo: { url: USERINFO, request: userinfo },
    checks: ['state'],
    profile: (profile) => ({
      id: profile.unionid ?? profile.openid,
      name: profile.nickname,
      email: null,
      image: profile.headimgurl || null,
    }),
    style: { brandColor: '#fff', icon: () => import('./_icons/wechat.ts') },
    options,
  }
}
