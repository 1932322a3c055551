/** Options for signing out at providers. */
export interface LogoutOptions {
  /**
   * Whether the session keeps the ID token, encrypted: many providers ask the user to confirm a sign-out without it.
   * `none`: only `logout_hint` is sent, if the ID token contained a value for it.
   * @default 'kept' for providers that have an end-session endpoint
   */
  readonly idTokenHint?: 'kept' | 'none' | undefined
  /**
   * Origins, such as `https://www.example.com`, to which a sign-out may lead besides that of the site.
   * @default none
   */
  readonly allowedOrigins?: readonly string[] | undefined
}

/** Of a configuration with the option `logout`. */
export interface LogoutSettings {
  readonly keepsIdTokens: boolean
  readonly allowedOrigins: readonly string[]
}
