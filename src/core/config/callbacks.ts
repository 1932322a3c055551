import type { AdapterAccount, AdapterSession, AdapterUser } from '../database/adapter.ts'
import type {
  Account,
  Awaitable,
  DefaultSession,
  Hook,
  JWT,
  Profile,
  Session,
  User,
} from '../types.ts'

/** Why the `jwt` callback is called; `undefined` for a session read. */
export type JWTTrigger = 'signIn' | 'signUp' | 'update'

/** Parameters of the `signIn` callback. */
export interface SignInCallbackParams {
  user: User
  account: Account | null
  /** Claims from the provider (OAuth only). */
  profile?: Profile
  /** The submitted fields (credentials only). */
  // `any`, as in `@auth/core`: callbacks that read the fields compile.
  credentials?: Record<string, any>
  /** `verificationRequest` is `true` when the magic link is requested, absent when it is opened (e-mail only). */
  email?: { verificationRequest?: boolean }
}

/** Parameters of the `redirect` callback. */
export interface RedirectCallbackParams {
  /** The requested return URL. */
  url: string
  /** The origin of the site. */
  baseUrl: string
}

/** Parameters of the `jwt` callback. */
export interface JWTCallbackParams {
  /** The current claims; at sign-in only `name`, `email`, `picture` and `sub`. */
  token: JWT
  /** Present on `signIn` and `signUp`. */
  user: User
  /** Present on `signIn` and `signUp`. */
  account?: Account | null
  /** Present on `signIn` and `signUp` with an OAuth provider. */
  profile?: Profile
  trigger?: JWTTrigger
  /** @deprecated compare `trigger` with 'signUp' */
  isNewUser?: boolean
  /** Data that the browser sent with `update()`. It is untrusted: validate it. */
  // `any`, as in `@auth/core`: callbacks that read the data compile.
  session?: any
}

/** The parameters as passed: a session read has no user. */
export type JWTCallbackCall = Omit<JWTCallbackParams, 'user'> & { user?: User }

/** Parameters of the `session` callback. */
export interface SessionCallbackParams {
  /**
   * Strategy `jwt`: the session as the browser would receive it. Strategy `database`: the stored session with its whole
   * user; `expires` is a `Date`, and `sessionToken` is removed from the result.
   */
  session: Session & { user: User }
  /** The claims (session strategy `jwt`). */
  token: JWT
  /** The stored user (session strategy `database`). */
  user: AdapterUser
  /** Data that the browser sent with `update()`. It is untrusted: validate it. */
  // See `session` of `JWTCallbackParams`.
  newSession?: any
  trigger?: 'update'
}

/** The parameters as passed: with the claims, or with the user. */
export type SessionCallbackCall = Omit<SessionCallbackParams, 'session' | 'token' | 'user'> &
  Partial<Pick<SessionCallbackParams, 'token' | 'user'>> & {
    session: Omit<SessionCallbackParams['session'], 'expires'> & { expires: string | Date }
  }

/** Callbacks of the application, which may be async. An error in a callback never ends a session. */
export interface CallbacksOptions<S extends DefaultSession = Session | DefaultSession> {
  /** Allows the sign-in (`true`), rejects it (`false`, or an error), or redirects to a URL. @default allows all */
  signIn?: Hook<[params: SignInCallbackParams], Awaitable<boolean | string>>
  /**
   * Returns the URL to redirect to after sign-in or sign-out, or a path that begins with `/`.
   * @default URLs of the same origin; any other URL becomes the origin
   */
  redirect?: Hook<[params: RedirectCallbackParams], Awaitable<string>>
  /** Returns the session as exposed to the browser; by default name, e-mail address, picture. `null`: signed out. */
  session?: Hook<[params: SessionCallbackParams], Awaitable<S>>
  /** Returns the session token claims (strategy `jwt`), at sign-in and every session read. `null` ends the session. */
  jwt?: Hook<[params: JWTCallbackParams], Awaitable<JWT | null>>
}

export interface CallbackCalls extends Omit<CallbacksOptions, 'jwt' | 'session'> {
  session?: Hook<[params: SessionCallbackCall], Awaitable<Session | DefaultSession>>
  jwt?: Hook<[params: JWTCallbackCall], Awaitable<JWT | null>>
}

/** Message of the `signOut` event. */
export interface SignOutMessage {
  /** Claims of the session token (session strategy `jwt`). */
  token?: JWT | null
  /** The deleted session, if the adapter returns it (session strategy `database`). */
  session?: AdapterSession | null | undefined | void
}

/** Message of the `evict` event. */
export interface EvictMessage {
  /** The user as stored, before `emailVerified` is set. */
  user: AdapterUser
  /** The accounts that will be unlinked; empty if the adapter lacks `listAccounts` or `unlinkAccount`. */
  accounts: readonly AdapterAccount[]
}

/** Message of the `tokenRefreshFailed` event. */
export interface TokenRefreshFailedMessage {
  userId: string
  /** Id of the provider. */
  provider: string
  /** `reconnect`: the provider no longer accepts the refresh token. */
  reason: 'reconnect'
}

/** Message of the `revokeSession` event. */
export interface RevokeSessionMessage {
  /** Id of the user whose session ended. */
  userId: string
  /** Id of the session, as in lists of sessions. */
  sid: string
  /**
   * `user`: by its user. `application`: by `governSessions`. `limit`: the user had more than `session.maxPerUser`.
   * `provider`: its user has signed out at the provider.
   */
  reason: 'user' | 'application' | 'limit' | 'provider'
}

/** Events of the application. The result of a handler is ignored, and so are its errors, except for `evict`. */
export interface EventsOptions {
  /** After a sign-in. `user` is the result of `authorize` (credentials), or the user. */
  signIn?: Hook<
    [message: { user: User; account: Account | null; profile?: Profile; isNewUser?: boolean }],
    Awaitable<void>
  >
  /** After a sign-out. */
  signOut?: Hook<[message: SignOutMessage], Awaitable<void>>
  /** After a user was created. */
  createUser?: Hook<[message: { user: User }], Awaitable<void>>
  /** After a user opened a magic link. */
  updateUser?: Hook<[message: { user: User }], Awaitable<void>>
  /** After an account was linked to a user; `profile` is the user as returned by the provider. */
  linkAccount?: Hook<[message: { user: User; account: Account; profile: User }], Awaitable<void>>
  /** After an account was unlinked from a user by `unlinkAccount` of `lib-auth/account`. */
  unlinkAccount?: Hook<[message: { user: User; account: Account }], Awaitable<void>>
  /** After a user was deleted by `removeUser` of `lib-auth/account`. */
  deleteUser?: Hook<[message: { user: User }], Awaitable<void>>
  /**
   * Before an unverified user is evicted, because another person verified the address: sessions end and accounts are
   * unlinked (defence against account pre-hijacking). Revoke other credentials of the user here, such as a password.
   * Awaited for up to 10 seconds before the new session is created: an error rejects the sign-in, and a retry sends the
   * event again.
   */
  evict?: Hook<[message: EvictMessage], Awaitable<void>>
  /** After the provider has refused a refresh token for good: the user has to connect the account again. */
  tokenRefreshFailed?: Hook<[message: TokenRefreshFailedMessage], Awaitable<void>>
  /** After a session was ended from another one, by the application or the provider, or because the user had too many. */
  revokeSession?: Hook<[message: RevokeSessionMessage], Awaitable<void>>
  /** After a session read; `token` with session strategy `jwt`. */
  session?: Hook<[message: { session: Session; token: JWT }], Awaitable<void>>
}

type MessageOf<Name extends keyof EventsOptions> = Parameters<NonNullable<EventsOptions[Name]>>[0]

/** The messages as sent: `session` has a token only with session strategy `jwt`. */
export type EventMessages = {
  readonly [Name in Exclude<keyof EventsOptions, 'session'>]: MessageOf<Name>
} & { readonly session: { session: Session; token?: JWT } }

export type EventCalls = {
  readonly [Name in keyof EventMessages]?: Hook<[message: EventMessages[Name]], Awaitable<void>>
}
