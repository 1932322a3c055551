import type { OAuth2Config, OAuthUserConfig, UserinfoRequest } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { subpath } from './_subpath.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Account of Lichess (`GET /api/account`), with the address of `GET /api/account/email`. */
export interface LichessProfile extends Profile {
  /** User name in lower case. It cannot be changed. */
  id: string
  username: string
  email: string | null
  /** In milliseconds since the epoch. */
  createdAt?: number
  title?: string
  patron?: boolean
  url?: string
}

const ACCOUNT = 'https://lichess.org/api/account'

async function userinfo({ tokens, provider }: UserinfoRequest): Promise<Profile> {
  const headers = { authorization: `Bearer ${tokens.access_token}`, accept: 'application/json' }
  const url = provider.userinfo?.url ?? ACCOUNT
  const response = await provider.fetch(url, { headers })
  if (!response.ok) throw new Error(`Lichess responded with status ${response.status}.`)
  const profile: Profile = await response.json()
  // Requires the scope email:read.
  const address = await provider.fetch(subpath(url, 'email'), { headers })
  const { email = null }: { email?: string | null } = address.ok ? await address.json() : {}
  return { ...profile, email }
}

/**
 * Lichess (OAuth).
 *
 * Lichess has no client registration: choose a `clientId`, for example the domain of the application. There is no client
 * secret; PKCE is required.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://lichess.org/api#tag/OAuth
 * @example
 * ```ts
 * import Lichess from 'lib-auth/providers/lichess'
 *
 * export const providers = [Lichess({ clientId: 'app.example.com' })]
 * ```
 */
export default function Lichess<const Id extends string = ''>(
  options: OAuthUserConfig<LichessProfile, Id> = {},
): OAuth2Config<LichessProfile, 'lichess', Id> {
  return {
    id: 'lichess',
    name: 'Lichess',
    type: 'oauth',
    authorization: { url: 'https://lichess.org/oauth', params: { scope: 'email:read' } },
    token: 'https://lichess.org/api/token',
    client: { token_endpoint_auth_method: 'none' },
    userinfo: { url: ACCOUNT, request: userinfo },
    profile: ({ id, username, email }) => ({ id, name: username, email, image: null }),
    style: { icon: () => import('./_icons/lichess.ts') },
    options,
  }
}
