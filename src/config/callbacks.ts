/** What an application can decide, and what it can watch. */
import type { AdapterAccount, AdapterSession, AdapterUser } from '../adapters/index.ts'
import type {
  Account,
  Awaitable,
  DefaultSession,
  Hook,
  JWT,
  Profile,
  Session,
  Untyped,
  User,
} from '../types.ts'

/** Why the `jwt` callback runs; `undefined` when a session is read. */
export type JWTTrigger = 'signIn' | 'signUp' | 'update'

/** What the `signIn` callback is told. */
export interface SignInCallbackParams {
  user: User
  account: Account | null
  /** What the provider said (OAuth only). */
  profile?: Profile
  /** What was typed in (credentials only). */
  credentials?: Record<string, Untyped>
  /** `verificationRequest` is true when the link is asked for, absent when it is followed (e-mail only). */
  email?: { verificationRequest?: boolean }
}

/** What the `redirect` callback is told. */
export interface RedirectCallbackParams {
  /** Where the browser wants to go. */
  url: string
  /** The origin of the site. */
  baseUrl: string
}

/** What the `jwt` callback is told. */
export interface JWTCallbackParams {
  /** The claims so far; at sign-in only `name`, `email`, `picture` and `sub`. */
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
  /** What the browser sent with `update()`. Anybody can send anything: check it. */
  session?: Untyped
}

/** The same as it is called: when a session is read there is no user. */
export type JWTCallbackCall = Omit<JWTCallbackParams, 'user'> & { user?: User }

/** What the `session` callback is told. */
export interface SessionCallbackParams {
  /**
   * What the browser would get (session strategy `jwt`), or the session as it is stored, with its whole user
   * (session strategy `database`): then `expires` is a `Date`. `sessionToken` is taken out of what you return.
   */
  session: Session & { user: User }
  /** The claims (session strategy `jwt`). */
  token: JWT
  /** The user as it is stored (session strategy `database`). */
  user: AdapterUser
  /** What was sent with `update()`. Anybody can send anything: check it. */
  newSession?: Untyped
  trigger?: 'update'
}

/** The same as it is called: with the claims, or with the user. */
export type SessionCallbackCall = Omit<SessionCallbackParams, 'session' | 'token' | 'user'> &
  Partial<Pick<SessionCallbackParams, 'token' | 'user'>> & {
    session: Omit<SessionCallbackParams['session'], 'expires'> & { expires: string | Date }
  }

/** What an application can decide. Each may be async; what throws never signs anybody out. */
export interface CallbacksOptions<S extends DefaultSession = Session | DefaultSession> {
  /**
   * Lets somebody in (`true`), refuses (`false`, or anything thrown), or sends them elsewhere (a URL).
   *
   * @default everybody is let in
   */
  signIn?: Hook<[params: SignInCallbackParams], Awaitable<boolean | string>>
  /**
   * Chooses where the browser goes after signing in or out: returns a URL, or a path that begins with `/`.
   *
   * @default URLs of the same origin; everything else becomes the origin
   */
  redirect?: Hook<[params: RedirectCallbackParams], Awaitable<string>>
  /**
   * Chooses what a browser learns about its session. Return everything it shall see: by default that is
   * name, e-mail address and picture. `null` shows nobody.
   */
  session?: Hook<[params: SessionCallbackParams], Awaitable<S>>
  /**
   * Chooses what is kept in the session token (session strategy `jwt`). Runs at sign-in and whenever the
   * session is read. `null` ends the session.
   */
  jwt?: Hook<[params: JWTCallbackParams], Awaitable<JWT | null>>
}

/** The callbacks as they are called. */
export interface CallbackCalls extends Omit<CallbacksOptions, 'jwt' | 'session'> {
  session?: Hook<[params: SessionCallbackCall], Awaitable<Session | DefaultSession>>
  jwt?: Hook<[params: JWTCallbackCall], Awaitable<JWT | null>>
}

/** What the `signIn` event tells. */
export interface SignInMessage {
  user: User
  account: Account | null
  profile?: Profile
  isNewUser?: boolean
}

/** What the `signOut` event tells. */
export interface SignOutMessage {
  /** What the token held (session strategy `jwt`). */
  token?: JWT | null
  /** What the database had, as far as the adapter says (session strategy `database`). */
  session?: AdapterSession | null | undefined | void
}

/** What the `linkAccount` event tells. */
export interface LinkAccountMessage {
  user: User
  account: Account
  profile: User
}

/** What the `evict` event receives. */
export interface EvictMessage {
  /** The user as stored, before `emailVerified` is set. */
  user: AdapterUser
  /** The accounts that are about to be unlinked; none if the adapter lacks `listAccounts` or `unlinkAccount`. */
  accounts: readonly AdapterAccount[]
}

/** What an application can watch. What a handler returns, and whether it throws, changes nothing, except for `evict`. */
export interface EventsOptions {
  /** Somebody signed in. `user` is what `authorize` returned (credentials), or the user. */
  signIn?: Hook<[message: SignInMessage], Awaitable<void>>
  /** Somebody signed out. */
  signOut?: Hook<[message: SignOutMessage], Awaitable<void>>
  /** A user was created. */
  createUser?: Hook<[message: { user: User }], Awaitable<void>>
  /** A user followed a link that was sent to them. */
  updateUser?: Hook<[message: { user: User }], Awaitable<void>>
  /** A user can sign in with one more account; `profile` is what the provider says of them. */
  linkAccount?: Hook<[message: LinkAccountMessage], Awaitable<void>>
  /**
   * A user is evicted: somebody proved the address of an unverified user, so sessions end and accounts are unlinked. Revoke
   * here what else that user can sign in with, such as a password. It is awaited for up to 10 seconds, before the new
   * session is created: if it throws, the sign-in is rejected and can be retried, and then the event is sent again.
   */
  evict?: Hook<[message: EvictMessage], Awaitable<void>>
  /** A session was read; `token` with session strategy `jwt`. */
  session?: Hook<[message: { session: Session; token: JWT }], Awaitable<void>>
}

/** The events as they are told: with a token, or without one. */
export interface EventCalls extends Omit<EventsOptions, 'session'> {
  session?: Hook<[message: { session: Session; token?: JWT }], Awaitable<void>>
}
