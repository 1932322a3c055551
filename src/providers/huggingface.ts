import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Hugging Face ID token. */
export interface HuggingfaceProfile extends Profile {
  sub: string
  name: string
  /** User name, which the user can change. */
  preferred_username: string
  /** URL of the profile page. */
  profile: string
  picture: string
  website?: string
  email?: string
  email_verified?: boolean
  isPro: boolean
  orgs?: { sub: string; name: string; preferred_username: string; picture: string }[]
}

/**
 * Hugging Face (OpenID Connect).
 *
 * `trustEmail` is `false`: an organization can manage the accounts of its members with its own identity provider.
 *
 * @see https://huggingface.co/docs/hub/en/oauth
 * @example
 * ```ts
 * import Huggingface from 'lib-auth/providers/huggingface'
 *
 * // AUTH_HUGGINGFACE_ID and AUTH_HUGGINGFACE_SECRET are read where options are left out.
 * export const providers = [Huggingface]
 * ```
 */
export default function Huggingface<const Id extends string = ''>(
  options: OIDCUserConfig<HuggingfaceProfile, Id> = {},
): OIDCConfig<HuggingfaceProfile, 'huggingface', Id> {
  return {
    id: 'huggingface',
    name: 'Hugging Face',
    type: 'oidc',
    issuer: 'https://huggingface.co',
    style: { brandColor: '#ffd21e' },
    options,
  }
}
