import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { userinfoEndpoint } from './_userinfo.ts'
import { jsonRevocation } from './_revocation.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** What Notion returns of a person. */
export interface Person {
  /** Requires the capability to read user information including e-mail addresses. */
  email?: string
}

/** A user of Notion. */
export interface User {
  object: 'user'
  id: string
  type: 'person'
  name: string | null
  avatar_url: string | null
  person: Person
}

/** The owner of a connection. */
export interface Owner {
  type: 'user'
  user: User
}

/** A person in a Notion workspace. */
export interface NotionProfile extends User, Omit<Profile, keyof User> {}

/** Options of the Notion provider. */
export interface NotionOptions<Id extends string = string> extends OAuthUserConfig<
  NotionProfile,
  Id
> {
  /** @deprecated has no effect: the callback URL is sent */
  redirectUri?: string
}

/** The bot of the connection. */
interface Bot {
  readonly bot?: { readonly owner?: { readonly user?: Profile } }
}

/** The access token is that of a bot; its owner is the user. */
function read({ bot }: Bot): Profile {
  if (!bot?.owner?.user) throw new Error('Notion reports no user as the owner of the connection.')
  return bot.owner.user
}

/**
 * Notion (OAuth).
 *
 * Create a public connection with the capability to read user information including e-mail addresses. Notion has no
 * scopes; the user selects the pages that the connection can access.
 *
 * `trustEmail` is `false`: the profile has no `email_verified`, and a workspace with SSO or SCIM provisions its members.
 *
 * @see https://developers.notion.com/docs/authorization
 * @example
 * ```ts
 * import Notion from 'lib-auth/providers/notion'
 *
 * // AUTH_NOTION_ID and AUTH_NOTION_SECRET are read where options are left out.
 * export const providers = [Notion]
 * ```
 */
export default function NotionProvider<const Id extends string = ''>({
  redirectUri: _unused,
  ...options
}: NotionOptions<Id> = {}): OAuth2Config<NotionProfile, 'notion', Id> {
  return {
    id: 'notion',
    name: 'Notion',
    type: 'oauth',
    authorization: {
      url: 'https://api.notion.com/v1/oauth/authorize',
      params: { owner: 'user' },
    },
    token: 'https://api.notion.com/v1/oauth/token',
    revocation: jsonRevocation('https://api.notion.com/v1/oauth/revoke', ({ provider }) => ({
      headers: {
        authorization: `Basic ${btoa(`${provider.clientId}:${provider.clientSecret}`)}`,
        'notion-version': '2022-06-28',
      },
    })),
    userinfo: userinfoEndpoint('Notion', {
      url: 'https://api.notion.com/v1/users/me',
      headers: () => ({ 'notion-version': '2022-06-28' }),
      read,
    }),
    // Notion does not support PKCE.
    checks: ['state'],
    profile: (profile) => ({
      id: profile.id,
      name: profile.name ?? null,
      email: profile.person?.email ?? null,
      image: profile.avatar_url ?? null,
    }),
    style: { brandColor: '#ffffff', icon: () => import('./_icons/notion.ts') },
    options,
  }
}
