/** Options for the tokens of providers, which the application reads with `getAccessToken`. */
export interface TokensOptions {
  /**
   * Where tokens are stored. `account`: in the columns of the account. `store`: as records, for the session. `cookie`: in
   * sealed cookies, for the session. @default 'account' if the adapter has `listAccounts` and `updateAccount`;
   * else 'store' if records can be stored; else 'cookie'
   */
  readonly where?: 'account' | 'store' | 'cookie' | undefined
  /** How the columns of accounts are stored. `plain`: for applications with other readers. @default 'encrypted' */
  readonly stored?: 'encrypted' | 'plain' | undefined
  /** Seconds before its expiry at which a token is refreshed, at most a day. @default 60 */
  readonly refreshBefore?: number | undefined
  /**
   * Ids of providers whose tokens the proxy (middleware) of Next.js refreshes before the page is rendered. @default none
   */
  readonly refreshInProxy?: readonly string[] | undefined
  /**
   * What follows when the provider no longer accepts the refresh token. `end`: the session ends, if it can be revoked.
   * @default 'end' for a session that began with this account, if tokens are stored with the session; else 'keep'
   */
  readonly onLostGrant?: 'end' | 'keep' | undefined
  /** `session`: a sign-out revokes the tokens that are stored with the session (RFC 7009). @default 'never' */
  readonly revokeOnSignOut?: 'never' | 'session' | undefined
  /**
   * Seconds in which a request with an outdated refresh token receives the tokens of the last refresh, at most an hour.
   * @default 60
   */
  readonly grace?: number | undefined
}

/** Options of `getAccessToken`. */
export interface AccessTokenOptions {
  /** Scopes that the token must have. @default none */
  readonly scope?: readonly string[]
  /** Seconds for which the token must be valid, at most a day; otherwise it is refreshed, if possible. @default tokens.refreshBefore */
  readonly minValidity?: number
  /** The id of the account at the provider, if the user has connected several. @default the first, in the order of their ids */
  readonly account?: string
  /** `now`: refreshes also a token that seems valid, for an API that has rejected it. @default 'when-due' */
  readonly refresh?: 'when-due' | 'now'
}

/** Options of `requestScopes`. */
export interface RequestScopesOptions {
  /** The id of the account at the provider, if the user has connected several. @default the first, in the order of their ids */
  readonly account?: string | undefined
  /** Return URL: a path of the site. @default the page that sent the request */
  readonly redirectTo?: string | undefined
}

/** An access token of a provider. */
export interface AccessToken {
  readonly accessToken: string
  /** `null`: the provider does not say. */
  readonly expiresAt: Date | null
  readonly scope: readonly string[]
  /** As in the `Authorization` header. */
  readonly tokenType: string
  readonly idToken: string | null
}

export interface TokenSettings extends TokensOptions {
  /** Whether tokens are stored with the session if they are not stored with the account. */
  readonly isKept: boolean
}
