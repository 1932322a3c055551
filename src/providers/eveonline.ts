import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import { fromBase64Url } from '../core/crypto/digest.ts'
import { isRecord } from '../core/is-record.ts'
import type { Profile, TokenSet } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** Character of EVE Online, from the claims of the access token. */
export interface EVEOnlineProfile extends Profile {
  CharacterID: number
  CharacterName: string
  /** ISO 8601 date. */
  ExpiresOn: string
  /** Separated by spaces. */
  Scopes: string
  TokenType: string
  /** Changes when the character is transferred to another account. */
  CharacterOwnerHash: string
  IntellectualProperty: string
}

/** Reads the character from the access token, a JWT that EVE Online has just sent over TLS. */
function character({ tokens }: { tokens: TokenSet }): Profile {
  const bytes = fromBase64Url(tokens.access_token?.split('.')[1] ?? '')
  const claims: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes))
  const { sub, name, owner, exp, scp = [] } = isRecord(claims) ? claims : {}
  const [, id] = /^CHARACTER:EVE:(\d+)$/.exec(String(sub)) ?? []
  if (!id) throw new Error('EVE Online sent an access token without a character.')
  return {
    CharacterID: Number(id),
    CharacterName: name,
    ExpiresOn: new Date(Number(exp) * 1000).toISOString(),
    Scopes: [scp].flat().join(' '),
    TokenType: 'Character',
    CharacterOwnerHash: owner,
    IntellectualProperty: 'EVE',
  }
}

/**
 * EVE Online (OAuth).
 *
 * A user signs in as a character, and the profile comes from the access token. A character can be transferred to
 * another account: to tell its owners apart, compare `profile.CharacterOwnerHash` in the `signIn` callback. EVE Online
 * reports no e-mail address.
 *
 * @see https://developers.eveonline.com/docs/services/sso/
 * @example
 * ```ts
 * import EVEOnline from 'lib-auth/providers/eveonline'
 *
 * // AUTH_EVEONLINE_ID and AUTH_EVEONLINE_SECRET are read where options are left out.
 * export const providers = [EVEOnline]
 * ```
 */
export default function EVEOnline<const Id extends string = ''>(
  options: OAuthUserConfig<EVEOnlineProfile, Id> = {},
): OAuth2Config<EVEOnlineProfile, 'eveonline', Id> {
  return {
    id: 'eveonline',
    name: 'EVE Online',
    type: 'oauth',
    authorization: {
      url: 'https://login.eveonline.com/v2/oauth/authorize',
      params: { scope: 'publicData' },
    },
    token: 'https://login.eveonline.com/v2/oauth/token',
    userinfo: { request: character },
    checks: ['state'],
    profile: (profile) => ({
      id: accountId(profile.CharacterID),
      name: profile.CharacterName,
      email: null,
      image: `https://images.evetech.net/characters/${profile.CharacterID}/portrait?size=128`,
    }),
    options,
  }
}
