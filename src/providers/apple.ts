import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import { postedUser } from '../core/symbols.ts'
import type { Profile } from '../core/types.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** The user as posted with the first authorization response. It is not signed. */
export interface AppleNonConformUser {
  name?: { firstName?: string; lastName?: string }
  email?: string
}

/** Claims of an Apple ID token. */
export interface AppleProfile extends Omit<Profile, 'email_verified'> {
  sub: string
  aud: string
  /** An address at `privaterelay.appleid.com` if the user hides the own one. */
  email?: string
  /** Apple sends a boolean or a string. */
  email_verified?: boolean | 'true' | 'false'
  /** Apple sends a boolean or a string. */
  is_private_email?: boolean | 'true' | 'false'
  /** 0: unsupported, 1: unknown, 2: likely a person. */
  real_user_status?: 0 | 1 | 2
  auth_time?: number
  exp: number
  iat: number
  iss: string
  nonce_supported?: boolean
  /** Only in the first sign-in of a user. */
  user?: AppleNonConformUser
}

function readName({ user, email }: AppleProfile): string | null {
  const { firstName, lastName } = user?.name ?? {}
  return [firstName, lastName].filter(Boolean).join(' ') || (email ?? null)
}

/** Addresses whose mailbox is at Apple. */
const HOSTED = /@(?:icloud|me|mac|privaterelay\.appleid)\.com$/i

/**
 * Apple (OpenID Connect).
 *
 * `clientId` is the Services ID, and `clientSecret` is a JWT that you sign with the private key of your developer account;
 * it is valid for at most six months. Apple posts the authorization response, and only to an https URL that is not
 * `localhost`. Only the first sign-in contains the name of the user; without it, the name is the address.
 *
 * `trustEmail` is `true` for addresses that Apple hosts: at icloud.com, me.com, mac.com and privaterelay.appleid.com. Any
 * other address belongs to another mail service, and may have another owner since Apple verified it.
 *
 * @see https://developer.apple.com/documentation/signinwithapplerestapi
 * @example
 * ```ts
 * import Apple from 'lib-auth/providers/apple'
 *
 * // AUTH_APPLE_ID and AUTH_APPLE_SECRET are read where options are left out.
 * export const providers = [Apple]
 * ```
 */
export default function Apple<const Id extends string = ''>(
  options: OIDCUserConfig<AppleProfile, Id> = {},
): OIDCConfig<AppleProfile, 'apple', Id> {
  return {
    id: 'apple',
    name: 'Apple',
    type: 'oidc',
    issuer: 'https://appleid.apple.com',
    // Apple requires `form_post` for the scopes `name` and `email`.
    authorization: { params: { scope: 'name email', response_mode: 'form_post' } },
    // Apple does not document PKCE.
    checks: ['nonce', 'state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    trustEmail: ({ email = '' }) => HOSTED.test(email),
    [postedUser]: true,
    profile: (profile) => ({
      id: profile.sub,
      name: readName(profile),
      email: profile.email ?? null,
      image: null,
    }),
    style: { brandColor: '#000000', icon: () => import('./_icons/apple.ts') },
    options,
  }
}
