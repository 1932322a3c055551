import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** User of Discord (`GET /users/@me`). */
export interface DiscordProfile extends Omit<Profile, 'id' | 'email'> {
  id: string
  username: string
  /** `'0'` for users with a unique user name. */
  discriminator: string
  /** Display name. */
  global_name: string | null
  /** Hash of the avatar; an animated one starts with `a_`. */
  avatar: string | null
  /** Requires the scope `email`. */
  email: string | null
  verified?: boolean
  locale?: string
  mfa_enabled?: boolean
}

function avatarUrl({ id, avatar, discriminator }: DiscordProfile): string {
  const cdn = 'https://cdn.discordapp.com'
  if (avatar) return `${cdn}/avatars/${id}/${avatar}.${avatar.startsWith('a_') ? 'gif' : 'png'}`
  const index = discriminator === '0' ? (BigInt(id) >> 22n) % 6n : Number(discriminator) % 5
  return `${cdn}/embed/avatars/${index}.png`
}

/**
 * Discord (OAuth).
 *
 * @see https://discord.com/developers/docs/topics/oauth2
 * @example
 * ```ts
 * import Discord from 'lib-auth/providers/discord'
 *
 * // AUTH_DISCORD_ID and AUTH_DISCORD_SECRET are read where options are left out.
 * export const providers = [Discord]
 * ```
 */
export default function Discord<const Id extends string = ''>(
  options: OAuthUserConfig<DiscordProfile, Id> = {},
): OAuth2Config<DiscordProfile, 'discord', Id> {
  return {
    id: 'discord',
    name: 'Discord',
    type: 'oauth',
    authorization: {
      url: 'https://discord.com/api/oauth2/authorize',
      params: { scope: 'identify email' },
    },
    token: 'https://discord.com/api/oauth2/token',
    userinfo: 'https://discord.com/api/users/@me',
    revocation: 'https://discord.com/api/oauth2/token/revoke',
    profile: (profile) => ({
      id: profile.id,
      name: profile.global_name ?? profile.username,
      email: profile.email,
      image: avatarUrl(profile),
    }),
    style: { brandColor: '#5865f2', icon: () => import('./_icons/discord.ts') },
    options,
  }
}
