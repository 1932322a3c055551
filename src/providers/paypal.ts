import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import { InvalidConfiguration } from '../core/errors/classes.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** An element of `emails`. */
export interface PayPalEmail {
  value: string
  primary: boolean
  confirmed?: boolean
}

/** User of PayPal (`GET /v1/identity/oauth2/userinfo`). */
export interface PayPalProfile extends Profile {
  /** A URL; differs for each application. */
  user_id: string
  name?: string
  /** Requires the scope `https://uri.paypal.com/services/paypalattributes`. */
  payer_id?: string
  email?: string
  emails?: PayPalEmail[]
  /** Whether the PayPal account, not the address, is verified. */
  verified_account?: string | boolean
  picture?: string
}

/** Options of the PayPal provider. */
export interface PayPalOptions<Id extends string = string> extends OAuthUserConfig<
  PayPalProfile,
  Id
> {
  /** Accounts of the sandbox are test accounts. @default 'live' */
  environment?: 'live' | 'sandbox'
}

const HOSTS = new Map<unknown, string>([
  ['live', '.paypal.com'],
  ['sandbox', '.sandbox.paypal.com'],
])

function primaryEmail({ emails }: PayPalProfile): string | undefined {
  return emails?.find(({ primary, confirmed }) => primary && confirmed !== false)?.value
}

/**
 * PayPal (OAuth).
 *
 * Turn on "Log in with PayPal" for the application, and select there the attributes that it requests.
 *
 * `trustEmail` is `false`: the profile of PayPal does not always contain `email_verified`.
 *
 * @see https://developer.paypal.com/docs/log-in-with-paypal/
 * @example
 * ```ts
 * import PayPal from 'lib-auth/providers/paypal'
 *
 * // AUTH_PAYPAL_ID and AUTH_PAYPAL_SECRET are read where options are left out.
 * export const providers = [PayPal]
 * ```
 */
export default function PayPal<const Id extends string = ''>({
  environment = 'live',
  ...options
}: PayPalOptions<Id> = {}): OAuth2Config<PayPalProfile, 'paypal', Id> {
  const host = HOSTS.get(environment)
  if (!host)
    throw new InvalidConfiguration(
      `environment of the PayPal provider is unknown (got "${environment}"). Set it to "live" or "sandbox".`,
    )
  return {
    id: 'paypal',
    name: 'PayPal',
    type: 'oauth',
    authorization: {
      url: `https://www${host}/signin/authorize`,
      params: { scope: 'openid profile email' },
    },
    token: `https://api-m${host}/v1/oauth2/token`,
    userinfo: `https://api-m${host}/v1/identity/oauth2/userinfo?schema=paypalv1.1`,
    checks: ['state'],
    profile: (profile) => ({
      id: profile.user_id,
      name: profile.name ?? null,
      email: profile.email ?? primaryEmail(profile) ?? null,
      image: profile.picture ?? null,
    }),
    style: { icon: () => import('./_icons/paypal.ts') },
    options,
  }
}
