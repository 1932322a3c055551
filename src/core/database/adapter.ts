/**
 * The contract between the library and a database.
 *
 * Methods may be synchronous or not, and are called with `this`. `null` means that a row does not exist; errors must be
 * thrown. Dates are `Date` objects with milliseconds. Strings must be compared exactly: a database that ignores case,
 * accents or trailing spaces allows account takeover. Ids may be returned as numbers; later calls receive them as
 * strings.
 *
 * `testAdapter` of `lib-auth/testing` verifies an adapter against this contract.
 */
import type { Account, Awaitable, DefaultUser, ProviderType, User } from '../types.ts'
import type { RecordStore } from '../records/record-store.ts'
import type { FactorStore } from './factor-store.ts'
import type { PasswordStore } from './password-store.ts'

export type { FactorStore, FactorUse, StoredFactor } from './factor-store.ts'
export type { PasswordStore, StoredPassword } from './password-store.ts'
export type { RecordSelection, RecordStore, StoredRecord } from '../records/record-store.ts'
export type { JsonArray, JsonObject, JsonPrimitive, JsonValue } from '../types.ts'

/** ISO 8601 with a time zone, to the minute or finer. */
const DATE_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/

/**
 * Whether a value is a string in ISO 8601 with a time zone, such as `2026-05-04T03:02:01.000Z`. For databases without a
 * date type, whose adapters convert strings to `Date`. Use it for date columns only: a user name can have this format.
 */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value))
}

/** A stored user, including the fields that the application adds to {@link User}. */
export interface AdapterUser extends User {
  id: string
  /** Should be unique. Undefined at run time, despite its type, if the provider returns no address. */
  email: string
  /** When the user last verified `email`; `null` if never. */
  emailVerified: Date | null
}

/** A stored session (session strategy `database`). */
export interface AdapterSession {
  /** Unique. */
  sessionToken: string
  userId: string
  /** Expiry; extended while the session is used (sliding expiration). */
  expires: Date
}

/** Provider type of a stored account. */
export type AdapterAccountType = Exclude<ProviderType, 'credentials'>

/** A linked account. `provider` and `providerAccountId` together are unique. */
export interface AdapterAccount extends Account {
  userId: string
  type: AdapterAccountType
}

/** The key of an account. */
export type AdapterAccountKey = Pick<AdapterAccount, 'provider' | 'providerAccountId'>

/** A single-use token of a magic link. */
export interface VerificationToken {
  /** The e-mail address of the recipient. */
  identifier: string
  /** Hash of the token in the link. */
  token: string
  expires: Date
}

/** A passkey (WebAuthn credential), a row of the table `authenticators`. */
export interface Authenticator {
  userId?: string | undefined
  providerAccountId: string
  /** In base64; unique. */
  credentialID: string
  /** In base64. */
  credentialPublicKey: string
  /** Signature counter (WebAuthn §6.1.1). */
  counter: number
  credentialDeviceType: string
  credentialBackedUp: boolean
  /** Comma-separated. */
  transports?: string | null | undefined
  /** Chosen by the user. Optional column, like the two below: adapters of tables without it drop the value. */
  name?: string | null | undefined
  /** The last sign-in with the passkey; `null` if there was none. */
  lastUsed?: Date | null | undefined
  created?: Date | null | undefined
}

/** A stored passkey with its owner. */
export interface AdapterAuthenticator extends Authenticator {
  userId: string
}

/** The fields of a passkey that change. */
export type AuthenticatorChanges = Partial<
  Pick<AdapterAuthenticator, 'counter' | 'credentialBackedUp' | 'name' | 'lastUsed'>
>

/** The affected row, if the database returns it. */
export type MaybeRow<T> = Awaitable<T | null | undefined | void>

/**
 * A database adapter for users, accounts, sessions and tokens. With all methods of {@link RecordStore},
 * {@link FactorStore} or {@link PasswordStore} it also stores records, second factors or passwords.
 */
export interface Adapter
  extends Partial<RecordStore>, Partial<FactorStore>, Partial<PasswordStore> {
  /**
   * Stores a new user and returns the stored row, whose `id` may differ from the given one. Without
   * {@link transaction}, keep the given `id`: if the response is lost, the user is looked up by it. Should throw if
   * another user has the `email`. Required by `oauth`, `oidc`, `email` and database sessions.
   */
  createUser?(user: AdapterUser): Awaitable<AdapterUser>

  /** Returns the user with this id. Required by `oauth`, `oidc`, `email` and database sessions. */
  getUser?(id: string): Awaitable<AdapterUser | null>

  /** Returns the user with exactly this address. Required by `oauth`, `oidc`, `email` and database sessions. */
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>

  /** Returns the owner of an account; both parts of the key must match. Required by `oauth`, `oidc` and `webauthn`. */
  getUserByAccount?(account: AdapterAccountKey): Awaitable<AdapterUser | null>

  /**
   * Changes the given fields and returns the whole user. Throws if the user does not exist, and should throw if another
   * user has the `email`. Required by `email`; a sign-in with a trusted account uses it to verify the address.
   */
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>): Awaitable<AdapterUser>

  /**
   * Deletes a user, if it exists, with accounts, sessions, passkeys, factors and password. Optional: undoes a failed
   * sign-up.
   */
  deleteUser?(userId: string): MaybeRow<AdapterUser>

  /**
   * Links an account, with every given field, to a user. Throws if the account is already linked, even to this user: of
   * concurrent calls exactly one succeeds. Required by `oauth`, `oidc` and `webauthn`.
   */
  linkAccount?(account: AdapterAccount): MaybeRow<AdapterAccount>

  /**
   * Unlinks an account; both parts of the key must match. An unknown account is not an error. Optional: when an address
   * is first verified, accounts linked earlier are unlinked (defence against account pre-hijacking).
   */
  unlinkAccount?(account: AdapterAccountKey): MaybeRow<AdapterAccount>

  /**
   * Changes the given fields of an account; throws if it does not exist. Optional: updates stored tokens, and locks the
   * row in a transaction that stores the counter of a passkey.
   */
  updateAccount?(account: Partial<AdapterAccount> & AdapterAccountKey): MaybeRow<AdapterAccount>

  /** Returns an account; both parts of the key must match. Optional: for use by the application. */
  getAccount?(providerAccountId: string, provider: string): Awaitable<AdapterAccount | null>

  /** Returns all accounts of a user, in any order; none for an unknown user. Optional: used with `unlinkAccount`. */
  listAccounts?(userId: string): Awaitable<AdapterAccount[]>

  /** Stores a session and returns the stored row. Throws if the token exists. Required by database sessions. */
  createSession?(session: AdapterSession): Awaitable<AdapterSession>

  /**
   * Returns a session with its user, even if it has expired: the caller checks. A token that is not found is looked up
   * by its hash, and in the opposite order with `session.hashTokens`. Required by database sessions.
   */
  getSessionAndUser?(
    sessionToken: string,
  ): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>

  /**
   * Changes the given fields of a session, and keeps the others. Must not recreate a deleted session: returns `null` or
   * throws instead. Any other result is ignored. Required by database sessions.
   */
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
  ): Awaitable<AdapterSession | null | undefined>

  /** Deletes a session, if it exists, and returns the row if available. Required by database sessions. */
  deleteSession?(sessionToken: string): MaybeRow<AdapterSession>

  /** Returns all sessions of a user, in any order, expired or not. Optional: for use by the application. */
  listSessions?(userId: string): Awaitable<AdapterSession[]>

  /** Deletes all sessions of a user. Optional: used with `unlinkAccount`, and to sign out everywhere. */
  deleteUserSessions?(userId: string): Awaitable<void>

  /** Stores a token, and keeps the existing ones of the identifier. Required by `email`. */
  createVerificationToken?(verificationToken: VerificationToken): MaybeRow<VerificationToken>

  /**
   * Returns and deletes a token, expired or not; of concurrent calls exactly one gets it, so that a magic link is single
   * use. Returns `null`, and deletes nothing, if identifier and token do not both match. Required by `email`.
   */
  useVerificationToken?(
    params: Pick<VerificationToken, 'identifier' | 'token'>,
  ): Awaitable<VerificationToken | null>

  /** Deletes all tokens of an identifier. Optional: using one magic link revokes the others. */
  deleteVerificationTokens?(identifier: string): Awaitable<void>

  /**
   * Stores a passkey, with the current time as `created` if it is not given. Throws if the `credentialID` already
   * exists. Required by `webauthn`.
   */
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>

  /** Returns the passkey with this id. Required by `webauthn`. */
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>

  /** Returns all passkeys of a user, in any order; an empty array for an unknown user. Required by `webauthn`. */
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>

  /** Sets the counter of a passkey. Throws if the passkey does not exist. Required by `webauthn`. */
  updateAuthenticatorCounter?(
    credentialID: string,
    newCounter: number,
  ): Awaitable<AdapterAuthenticator>

  /**
   * Changes the given fields of a passkey, except those without a column, and returns it. Throws if it does not exist.
   * Optional: stores the backup state and the last use at a sign-in; `renamePasskey` requires it.
   */
  updateAuthenticator?(
    credentialID: string,
    changes: AuthenticatorChanges,
  ): Awaitable<AdapterAuthenticator>

  /** Deletes a passkey, if it exists. Optional: `removePasskey` requires it. */
  deleteAuthenticator?(credentialID: string): Awaitable<void>

  /** Deletes sessions, tokens and records that expired before `now` (default: current time). Optional: call it once a day. */
  deleteExpired?(now?: Date): Awaitable<void>

  /**
   * Runs `work` atomically with the adapter that it receives. If `work` throws, all changes are rolled back and the
   * same error is thrown; otherwise they are committed before the returned promise resolves. `work` reads its own
   * changes, runs once, and must stop after a method has thrown. Concurrent transactions must not lose updates; one of
   * them may throw instead. Optional: without it, a failed sign-up is undone step by step.
   */
  transaction?<T>(work: (adapter: Adapter) => Promise<T>): Promise<T>
}

/** A stored user without the fields that the application adds to {@link User}. */
export type BaseAdapterUser = DefaultUser & Pick<AdapterUser, 'id' | 'email' | 'emailVerified'>

/** For packages compiled without `undefined` in optional fields, such as `@auth/*`, under `exactOptionalPropertyTypes`. */
export interface ExactUserFields {
  name?: string | null
  image?: string | null
}

/** A stored session without the fields that the application adds to {@link AdapterSession}. */
export type BaseAdapterSession = Pick<AdapterSession, 'sessionToken' | 'userId' | 'expires'>

/**
 * An adapter whose types do not contain the fields that the application adds, such as one of another package: it returns
 * them if the tables have the columns.
 */
export interface BaseAdapter extends Omit<
  Adapter,
  | 'createUser'
  | 'getUser'
  | 'getUserByEmail'
  | 'getUserByAccount'
  | 'updateUser'
  | 'deleteUser'
  | 'createSession'
  | 'getSessionAndUser'
  | 'updateSession'
  | 'deleteSession'
  | 'listSessions'
> {
  createUser?(user: AdapterUser & ExactUserFields): Awaitable<BaseAdapterUser>
  getUser?(id: string): Awaitable<BaseAdapterUser | null>
  getUserByEmail?(email: string): Awaitable<BaseAdapterUser | null>
  getUserByAccount?(account: AdapterAccountKey): Awaitable<BaseAdapterUser | null>
  updateUser?(
    user: Partial<AdapterUser> & ExactUserFields & Pick<AdapterUser, 'id'>,
  ): Awaitable<BaseAdapterUser>
  deleteUser?(userId: string): MaybeRow<BaseAdapterUser>
  createSession?(session: AdapterSession): Awaitable<BaseAdapterSession>
  getSessionAndUser?(
    sessionToken: string,
  ): Awaitable<{ session: BaseAdapterSession; user: BaseAdapterUser } | null>
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
  ): Awaitable<BaseAdapterSession | null | undefined>
  deleteSession?(sessionToken: string): MaybeRow<BaseAdapterSession>
  listSessions?(userId: string): Awaitable<BaseAdapterSession[]>
}
