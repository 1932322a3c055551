import type { Account, Awaitable, Hook, Profile, User } from '../types.ts'

/** Message of `secondStep.required`. */
export interface SecondStepMessage {
  /** The user as stored; that of `authorize` if they are not in the database. */
  user: User
  /** That of the first step. */
  account: Account
  profile?: Profile | undefined
}

/** A second step after the sign-in, with a code of an authenticator app. */
export interface SecondStepOptions {
  /**
   * Whether a user without a second factor has to add one to sign in. Users who have one always need it, unless they sign
   * in with a passkey that has verified them, or at a provider that is trusted to have checked several factors.
   * @default false
   */
  required?: Hook<[message: SecondStepMessage], Awaitable<boolean>>
  /**
   * Seconds for which users may choose not to be asked again in the same browser, from 3600 to 7776000 (90 days). Such a
   * sign-in has level 1. Needs `protection.knownBrowsers`.
   * @default always asked
   */
  rememberDevice?: number | undefined
}
