import type { Adapter, AdapterUser } from '../database/adapter.ts'
import type { AccountMail } from '../mail/account-mail.ts'
import type { Awaitable, Hook } from '../types.ts'

/** Message of `account.beforeRemove`. */
export interface RemoveUserMessage {
  /** The user as stored. */
  user: AdapterUser
}

/** Message of `account.mergeUsers`. */
export interface MergeUsersMessage {
  /** The user who is deleted, as stored. */
  from: AdapterUser
  /** The user who stays, as stored. */
  into: AdapterUser
  /** The adapter of the transaction: what it writes is committed or rolled back with the merge. */
  adapter: Adapter
}

/** What users may do with their own account. */
export interface AccountOptions {
  /**
   * Seconds after a sign-in in which the user may change how they sign in, from 60 to 86400; later, they confirm who they
   * are first.
   * @default 900 (15 minutes)
   */
  freshFor?: number | undefined
  /**
   * Called before a user is deleted: delete here what your application stores about them. An error keeps the user. Called
   * again if a deletion that failed later is repeated.
   */
  beforeRemove?: Hook<[message: RemoveUserMessage], Awaitable<void>>
  /**
   * Called in the transaction in which a user merges another one into theirs (`account.merge`), after accounts and passkeys
   * were moved, and before the other user is deleted: give the rows of your application to the user who stays. An error
   * rolls back the merge. Without this function, users cannot merge.
   */
  mergeUsers?: Hook<[message: MergeUsersMessage], Awaitable<void>>
  /**
   * Which mailboxes confirm a change of the e-mail address: `both`, if the current address is verified; `new`: only the
   * new one, for which the user needs two factors (`level: 2`).
   * @default 'both'
   */
  changeEmail?: 'both' | 'new' | undefined
  /**
   * Sends the mails of the account functions. An error means that the mail was not sent; a notice is then only logged.
   * Called for at most 10 s.
   * @default the first provider of type `email` that this package contains
   */
  send?: Hook<[mail: AccountMail], Awaitable<void>>
}

/** With the defaults. */
export interface AccountSettings extends AccountOptions {
  readonly freshFor: number
  /** `origin` is empty outside of a request. `null`: nothing sends mails. */
  readonly deliver: ((origin: string, mail: AccountMail) => Promise<void>) | null
}
