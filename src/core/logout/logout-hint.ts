/** What sessions keep to sign out at their providers, and what providers send. */

/** What a session keeps of one of its providers, to sign out there. */
export interface LogoutHint {
  readonly provider: string
  /** As `issuedBy` of its tokens. */
  readonly issuedBy: string
  readonly idToken?: string | undefined
  /** Identifies the user or the session to the provider, without an ID token. */
  readonly logoutHint?: string | undefined
  /** Owners of the records by which the provider can end the session. */
  readonly owners?: readonly string[] | undefined
}

export interface EndSessionRequest extends Pick<LogoutHint, 'idToken' | 'logoutHint'> {
  /** Of the pages of this site (BCP 47). */
  readonly locale: string | undefined
}

/** A sign-out at a provider that has begun. */
export interface EndSession {
  readonly url: string
  /** Comes back from the provider. */
  readonly state: string
}

/** The claims of a valid logout token (OpenID Connect Back-Channel Logout 1.0 §2.4), which has a `sub`, a `sid` or both. */
export interface LogoutNotice {
  readonly issuer: string
  readonly sub: string | undefined
  readonly sid: string | undefined
  readonly jti: string
  /** In seconds since the epoch. */
  readonly issuedAt: number
}
