import type { AdapterUser } from '../database/adapter.ts'
import type { Awaitable, Hook } from '../types.ts'

/** Message of `account.beforeRemove`. */
export interface RemoveUserMessage {
  /** The user as stored. */
  user: AdapterUser
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
}

/** With the defaults. */
export interface AccountSettings extends AccountOptions {
  readonly freshFor: number
}
