import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Mercado Pago (`GET /users/me`). */
export interface MercadoPagoProfile extends Omit<Profile, 'id'> {
  id: number
  nickname: string
  first_name?: string | null
  last_name?: string | null
  email?: string | null
  /** For example `AR`. */
  country_id: string
  /** For example `MLA`. */
  site_id: string
}

/**
 * Mercado Pago (OAuth).
 *
 * The user authorizes access to a seller account; Mercado Pago and Mercado Libre share users and their API. Enable PKCE in
 * the settings of the application.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://www.mercadopago.com/developers/en/docs/security/oauth
 * @example
 * ```ts
 * import MercadoPago from 'lib-auth/providers/mercadopago'
 *
 * // AUTH_MERCADOPAGO_ID and AUTH_MERCADOPAGO_SECRET are read where options are left out.
 * export const providers = [MercadoPago]
 * ```
 */
export default function MercadoPago<const Id extends string = ''>(
  options: OAuthUserConfig<MercadoPagoProfile, Id> = {},
): OAuth2Config<MercadoPagoProfile, 'mercadopago', Id> {
  return {
    id: 'mercadopago',
    name: 'Mercado Pago',
    type: 'oauth',
    authorization: {
      url: 'https://auth.mercadopago.com/authorization',
      params: { platform_id: 'mp' },
    },
    token: 'https://api.mercadopago.com/oauth/token',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: 'https://api.mercadolibre.com/users/me',
    profile: ({ id, first_name, last_name, nickname, email }) => ({
      id: accountId(id),
      name: [first_name, last_name].filter(Boolean).join(' ') || nickname,
      email: email ?? null,
      image: null,
    }),
    options,
  }
}
