/** Options for signing out at providers. */
export interface LogoutOptions {
  /**
   * Whether the session keeps the ID token, encrypted: many providers ask the user to confirm a sign-out without it.
   * `none`: only `logout_hint` is sent, if the ID token contained a value for it.
   * @default 'kept' for providers that have an end-session endpoint
   */
  readonly idTokenHint?: 'kept' | 'none' | undefined
  /**
   * Ids of OpenID providers that may send logout tokens (OpenID Connect Back-Channel Logout 1.0): the sessions end when
   * the user signs out there. Needs `store`, or an adapter that stores records. @default none
   */
  readonly backChannel?: readonly string[] | undefined
  /**
   * Ids of OpenID providers whose sign-out page may load a page of this site in a frame, which ends the session (OpenID
   * Connect Front-Channel Logout 1.0). Only for providers without the back channel. Needs what `backChannel` needs.
   * @default none
   */
  readonly frontChannel?: readonly string[] | undefined
  /**
   * Origins, such as `https://www.example.com`, to which a sign-out may lead besides that of the site.
   * @default none
   */
  readonly allowedOrigins?: readonly string[] | undefined
}

/** Whether sessions end at the request of a provider, so that they must be revocable. */
export function endsByProvider(logout: LogoutOptions | undefined): boolean {
  const { backChannel = [], frontChannel = [] } = logout ?? {}
  return backChannel.length + frontChannel.length > 0
}
