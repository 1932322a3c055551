import type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'
import { InvalidConfiguration } from '../core/errors/classes.ts'
import type { Profile } from '../core/types.ts'
import { isSameIssuer } from './_issuer.ts'

export type { OIDCConfig, OIDCUserConfig } from '../core/config/provider.ts'

/** Claims of a Battle.net ID token. */
export interface BattleNetProfile extends Profile {
  sub: string
  /** Name and number, for example `Ada#1234`. The user can change it. */
  battle_tag: string
}

/** The issuers of Battle.net; those with a region are former ones. */
export type BattleNetIssuer =
  | 'https://oauth.battle.net'
  | 'https://oauth.battlenet.com.cn'
  | 'https://www.battlenet.com.cn/oauth'
  | `https://${'us' | 'eu' | 'kr' | 'tw'}.battle.net/oauth`

/** Options of the Battle.net provider. */
export interface BattleNetOptions<Id extends string = string> extends OIDCUserConfig<
  BattleNetProfile,
  Id
> {
  /** A {@link BattleNetIssuer}. @default 'https://oauth.battle.net' */
  issuer?: BattleNetIssuer | (string & {}) | undefined
}

const VENDOR = /^https:\/\/[^/]*\bbattle(?:\.net|net\.com\.cn)(?:\/|$)/
const KNOWN =
  /^https:\/\/(?:oauth\.battle\.net|(?:us|eu|kr|tw)\.battle\.net\/oauth|oauth\.battlenet\.com\.cn|www\.battlenet\.com\.cn\/oauth)\/?$/

/**
 * Battle.net (OpenID Connect).
 *
 * Battle.net reports no e-mail address and no picture. For mainland China, set
 * `issuer: 'https://oauth.battlenet.com.cn'`.
 *
 * @see https://develop.battle.net/documentation/guides/using-oauth
 * @example
 * ```ts
 * import BattleNet from 'lib-auth/providers/battlenet'
 *
 * // AUTH_BATTLENET_ID and AUTH_BATTLENET_SECRET are read where options are left out.
 * export const providers = [BattleNet]
 * ```
 */
export default function BattleNet<const Id extends string = ''>(
  options: BattleNetOptions<Id> = {},
): OIDCConfig<BattleNetProfile, 'battlenet', Id> {
  const { issuer = '' } = options
  if (VENDOR.test(issuer) && !KNOWN.test(issuer))
    throw new InvalidConfiguration(
      `Provider battlenet has an unknown issuer (got "${issuer}"). Set issuer to https://oauth.battle.net, or to https://oauth.battlenet.com.cn for mainland China.`,
    )
  return {
    id: 'battlenet',
    name: 'Battle.net',
    type: 'oidc',
    issuer: 'https://oauth.battle.net',
    isIssuer: isSameIssuer,
    // The other scopes of Battle.net are those of its games.
    authorization: { params: { scope: 'openid' } },
    // Battle.net requires `state`.
    checks: ['state', 'nonce'],
    profile: (profile) => ({
      id: profile.sub,
      name: profile.battle_tag ?? null,
      email: null,
      image: null,
    }),
    style: { brandColor: '#148eff', icon: () => import('./_icons/battledotnet.ts') },
    options,
  }
}
