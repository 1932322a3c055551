import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Mercado Libre (`GET /users/me`). */
export interface MercadoLibreProfile extends Omit<Profile, 'id'> {
  id: number
  nickname: string
  first_name?: string | null
  last_name?: string | null
  email?: string | null
  /** For example `AR`. */
  country_id: string
  /** For example `MLA`. */
  site_id: string
  permalink?: string
  registration_date?: string
  thumbnail?: { picture_id?: string; picture_url?: string } | null
}

/**
 * Mercado Libre (OAuth).
 *
 * The settings of the application contain its scopes. The authorization page of a country has its own host: set
 * `authorization`, for example to `https://auth.mercadolivre.com.br/authorization` for Brazil.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://developers.mercadolibre.com.ar/en_us/authentication-and-authorization
 * @example
 * ```ts
 * import MercadoLibre from 'lib-auth/providers/mercadolibre'
 *
 * export const providers = [
 *   MercadoLibre({ authorization: 'https://auth.mercadolibre.com.ar/authorization' }),
 * ]
 * ```
 */
export default function MercadoLibre<const Id extends string = ''>(
  options: OAuthUserConfig<MercadoLibreProfile, Id> = {},
): OAuth2Config<MercadoLibreProfile, 'mercadolibre', Id> {
  return {
    id: 'mercadolibre',
    name: 'Mercado Libre',
    type: 'oauth',
    authorization: 'https://auth.mercadolibre.com/authorization',
    token: 'https://api.mercadolibre.com/oauth/token',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: 'https://api.mercadolibre.com/users/me',
    profile: ({ id, first_name, last_name, nickname, email, thumbnail }) => ({
      id: accountId(id),
      name: [first_name, last_name].filter(Boolean).join(' ') || nickname,
      email: email ?? null,
      image: thumbnail?.picture_url ?? null,
    }),
    options,
  }
}
