/** The second factors of the user of a request. */
import type {
  AuthenticatorApp,
  ConfirmedFactor,
  Enrollment,
  EnrollOptions,
  SecondFactors,
} from '../../core/factors/factor-info.ts'

/**
 * The second factors of the user who is signed in. Changes need the option `secondStep`.
 *
 * @throws SessionRequired (changes) if the visitor is not signed in
 * @throws StepUpRequired (changes) if the sign-in is older than `account.freshFor`, or had no second step although the user
 *   has a factor; its `url` is the page to confirm it
 * @throws MissingAdapterMethods if the adapter does not store factors
 * @throws MissingCSRF (changes) if a page of another origin sent the request
 */
export interface UserFactors<Args extends readonly unknown[]> {
  /** Lists the authenticator apps, and counts the recovery codes. `null` for a visitor who is not signed in. */
  readonly list: (...args: Args) => Promise<SecondFactors | null>
  /** Begins to add an authenticator app: show `qrCode`, or `secret` and a link to `uri`, and ask for a code. */
  readonly enroll: (...args: [...Args, options?: EnrollOptions]) => Promise<Enrollment>
  /**
   * Adds the app with a code that it shows. Other sessions of the user end. `recoveryCodes` are shown once.
   *
   * @throws Verification if the code is wrong or was used
   */
  readonly confirm: (
    ...args: [...Args, enrollment: { readonly id: string; readonly code: string }]
  ) => Promise<ConfirmedFactor>
  /** Removes an app, and with the last one the recovery codes. `null`: the user has no such app. */
  readonly remove: (...args: [...Args, id: string]) => Promise<AuthenticatorApp | null>
  /** Replaces the recovery codes by ten new ones, which are shown once. */
  readonly renewRecoveryCodes: (...args: Args) => Promise<readonly string[]>
}
