import type { PendingEmail } from '../../core/account/account-info.ts'

/** Changes of the e-mail address of the user who is signed in. */
export interface EmailFunctions<Args extends readonly unknown[]> {
  /**
   * Sends links to the mailboxes that have to confirm a change of the address: the new one, and the current one if it is
   * verified. Nothing changes until all of them were used, within an hour. The result is the same if another user has the
   * address.
   *
   * @throws InvalidRequest if the address is not a plain one, or that of the user already
   * @throws TooManyAttempts after five requests in an hour
   * @throws AccountMailError if a mail was not sent
   */
  readonly changeEmail: (...args: [...Args, to: string]) => Promise<PendingEmail>
  /** The change that waits for a confirmation. `null` without one, and for a visitor who is not signed in. */
  readonly pendingEmail: (...args: Args) => Promise<PendingEmail | null>
  /** Cancels it: its links are no longer valid. Returns whether one was waiting. Needs no recent sign-in. */
  readonly cancelEmail: (...args: Args) => Promise<boolean>
}
