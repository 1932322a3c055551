/**
 * The contract between the library and a database.
 *
 * Every method is optional: which ones have to be there depends on the configuration, and a configuration
 * that lacks one says which. Every method may be synchronous or not, and is called as a method, so that
 * instances of classes work. `null` means that there is none; what goes wrong has to throw. Dates go in and
 * come out as `Date`, to the millisecond. Texts are compared character by character: a database that ignores
 * case, accents or trailing spaces mixes up people. Ids may come out as numbers; later calls get them as text.
 * What only `webauthn` needs is not called yet.
 *
 * The interfaces can be extended with `declare module 'lib-auth' { interface AdapterUser { … } }`. Whether an
 * adapter does what is written here is what `testAdapter` of `lib-auth/testing` finds out.
 */
import type { Account, Awaitable, ProviderType, User } from '../types.ts'

export { isDate } from './_is-date.ts'

/** A user as it is stored. What the application adds to {@link User} is here too. */
export interface AdapterUser extends User {
  /** Never changes. */
  id: string
  /** At most one user should have it. Undefined, whatever the type says, if the provider tells no address. */
  email: string
  /** When somebody last proved to read what is sent to `email`; `null` if nobody has. */
  emailVerified: Date | null
}

/** A session as it is stored (session strategy `database`). */
export interface AdapterSession {
  /** What finds the session; unique. */
  sessionToken: string
  userId: string
  /** When it ends if it is not used. */
  expires: Date
}

/** Type of an account that is stored. */
export type AdapterAccountType = Exclude<ProviderType, 'credentials'>

/** What a user signs in with. `provider` and `providerAccountId` together are unique. */
export interface AdapterAccount extends Account {
  userId: string
  type: AdapterAccountType
}

/** Names one account. */
export type AdapterAccountKey = Pick<AdapterAccount, 'provider' | 'providerAccountId'>

/** What is behind a link in an e-mail, until it is used. */
export interface VerificationToken {
  /** Who gets the link: an e-mail address. */
  identifier: string
  /** Hash of what is in the link. */
  token: string
  expires: Date
}

/** A passkey. */
export interface Authenticator {
  userId?: string | undefined
  /** The account of the passkey. */
  providerAccountId: string
  /** In base64; unique. */
  credentialID: string
  /** In base64. */
  credentialPublicKey: string
  /** How often it was used, as it says itself (WebAuthn §6.1.1). */
  counter: number
  credentialDeviceType: string
  credentialBackedUp: boolean
  /** Separated by commas. */
  transports?: string | null | undefined
}

/** A passkey as it is stored. */
export interface AdapterAuthenticator extends Authenticator {
  userId: string
}

/** The row that a method was about, if the database has it at hand. */
export type MaybeRow<T> = Awaitable<T | null | undefined | void>

/** Where users, accounts, sessions and tokens are kept. */
export interface Adapter {
  /**
   * Stores a new user and returns it as it is stored. The `id` it comes with may be replaced: the one that is
   * returned counts. Without {@link transaction} keep it: after a lost answer the user is looked for by this id. Should throw when somebody else has the `email`. Needed by `oauth`, `oidc`, `email` and
   * database sessions.
   */
  createUser?(user: AdapterUser): Awaitable<AdapterUser>

  /** The user with this id. Needed by `oauth`, `oidc`, `email` and database sessions. */
  getUser?(id: string): Awaitable<AdapterUser | null>

  /** The user with exactly this address. Needed by `oauth`, `oidc`, `email` and database sessions. */
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>

  /** The user who has this account: both parts have to match. Needed by `oauth`, `oidc` and `webauthn`. */
  getUserByAccount?(account: AdapterAccountKey): Awaitable<AdapterUser | null>

  /**
   * Changes the fields that are given, leaves the others as they are, and returns the whole user. Throws when
   * there is no such user, and should when somebody else has the `email`. Needed by `email`. Where it is there, an
   * address that a trusted account proves is verified with it, too.
   */
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>): Awaitable<AdapterUser>

  /**
   * Deletes a user and everything that is theirs: accounts, sessions, authenticators. Deleting nobody is no
   * error. Optional: without {@link transaction} it takes back a user whose sign-up failed half-way.
   */
  deleteUser?(userId: string): MaybeRow<AdapterUser>

  /**
   * Gives an account to a user, with every field that is given. Throws when somebody has the account already,
   * the same user included: of many calls at the same time exactly one succeeds. Needed by `oauth`, `oidc` and
   * `webauthn`.
   */
  linkAccount?(account: AdapterAccount): MaybeRow<AdapterAccount>

  /**
   * Takes an account away from its user; both parts have to match. Unlinking what is not there is no error.
   * Optional: when an address is proved for the first time, it takes away what was linked before.
   */
  unlinkAccount?(account: AdapterAccountKey): MaybeRow<AdapterAccount>

  /**
   * Changes the fields of an account that are given, and leaves the others as they are. Throws when there is no
   * such account. Optional: keeps the tokens of an account up to date.
   */
  updateAccount?(account: Partial<AdapterAccount> & AdapterAccountKey): MaybeRow<AdapterAccount>

  /** The account, both parts of whose key match. Needed by `webauthn`. */
  getAccount?(providerAccountId: string, provider: string): Awaitable<AdapterAccount | null>

  /** All accounts of a user, in any order; none for an unknown user. Optional: eviction, as in `unlinkAccount`. */
  listAccounts?(userId: string): Awaitable<AdapterAccount[]>

  /**
   * Stores a session and returns it as it is stored: the token and the expiry that are returned count. Throws
   * when the token is taken. Needed by database sessions.
   */
  createSession?(session: AdapterSession): Awaitable<AdapterSession>

  /**
   * A session with its user. It may have expired: the caller looks. A token that is not found as it is, is looked for by
   * its hash, and the other way round with `session.hashTokens`. Needed by database sessions.
   */
  getSessionAndUser?(
    sessionToken: string,
  ): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>

  /**
   * Changes the fields of a session that are given, and leaves the others as they are. A session that is gone
   * must not come back: then it returns `null`, or throws. What else it returns is not looked at. Needed by
   * database sessions.
   */
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
  ): Awaitable<AdapterSession | null | undefined>

  /**
   * Ends a session, and returns what it was if that is at hand. Ending what is not there should be no error.
   * Needed by database sessions.
   */
  deleteSession?(sessionToken: string): MaybeRow<AdapterSession>

  /** All sessions of a user, in any order, expired ones or not. Optional: for showing and ending them yourself. */
  listSessions?(userId: string): Awaitable<AdapterSession[]>

  /** Ends all sessions of a user. Optional: eviction, as in `unlinkAccount`; and signing out everywhere, yourself. */
  deleteUserSessions?(userId: string): Awaitable<void>

  /** Stores a token, beside those that the same identifier has already. Needed by `email`. */
  createVerificationToken?(verificationToken: VerificationToken): MaybeRow<VerificationToken>

  /**
   * Reads a token and deletes it, in one step: of many calls at the same time exactly one gets it, otherwise
   * one link signs in many people. `null` when identifier and token do not both match, and then nothing is
   * deleted. The token may have expired: the caller looks. Needed by `email`.
   */
  useVerificationToken?(
    params: Pick<VerificationToken, 'identifier' | 'token'>,
  ): Awaitable<VerificationToken | null>

  /** Deletes all tokens of an identifier. Optional: using one link ends the others. */
  deleteVerificationTokens?(identifier: string): Awaitable<void>

  /** Stores a passkey. Throws when the `credentialID` is taken. Needed by `webauthn`. */
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>

  /** The passkey with this id. Needed by `webauthn`. */
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>

  /** All passkeys of a user, in any order; none for an unknown user. Needed by `webauthn`. */
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>

  /** Sets the counter of a passkey. Throws when there is no such passkey. Needed by `webauthn`. */
  updateAuthenticatorCounter?(
    credentialID: string,
    newCounter: number,
  ): Awaitable<AdapterAuthenticator>

  /**
   * Deletes sessions and verification tokens whose `expires` is before `now`, and nothing else. Optional:
   * call it once in a while, so that what nobody comes back for does not pile up.
   *
   * @default now is the time of the call
   */
  deleteExpired?(now?: Date): Awaitable<void>

  /**
   * Does everything that `work` does with the adapter it is given, or nothing of it. When `work` throws, all of
   * it is taken back and the same is thrown; otherwise it is stored before the promise of what `work` returned
   * resolves. `work` sees its own changes. It runs once, uses only the adapter it is given, and does not go on
   * after a method has thrown. Transactions at the same time do not lose each other's changes; one of them may
   * throw instead. Optional: without it a sign-up that fails half-way is taken back step by step.
   */
  transaction?<T>(work: (adapter: Adapter) => Promise<T>): Promise<T>
}
