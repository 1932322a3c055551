/** What every wrapper offers about passwords. */
import type { PasswordInfo } from '../../core/account/account-info.ts'
import type {
  ChangePasswordFields,
  PasswordAction,
  PasswordFields,
  RequestResetFields,
  ResetFields,
  SignUpFields,
  VerifyEmailFields,
} from '../../core/password-calls.ts'

/**
 * Passwords that `Password` of `lib-auth/password` stores. Each function accepts the form that was sent, too.
 *
 * @throws PasswordRejected by its `code` if a new password is not accepted
 * @throws Verification if a link is unknown, has expired, or was used already
 * @throws TooManyAttempts if a limit is exhausted
 * @throws InvalidConfiguration without the option `account`, or if nothing sends e-mails
 * @throws MissingCSRF if a page of another origin sent the request
 */
export interface UserPassword<Args extends readonly unknown[]> {
  /** Sends a link that creates the user. The same for each address: the mail tells a user that they have an account. */
  readonly signUp: (...args: [...Args, fields: SignUpFields | FormData]) => Promise<void>
  /**
   * Creates the user with the token of the link and signs in. Returns where to redirect.
   *
   * @throws CredentialsSignin in another browser than that of the sign-up, without the right password
   */
  readonly verifyEmail: (
    ...args: [...Args, fields: VerifyEmailFields | FormData]
  ) => Promise<string>
  /** Sends a link to choose a new password. The same for each address. */
  readonly requestReset: (
    ...args: [...Args, fields: RequestResetFields | FormData]
  ) => Promise<void>
  /** Replaces the password with the token of the link, and ends all sessions. Does not sign in. */
  readonly reset: (...args: [...Args, fields: ResetFields | FormData]) => Promise<void>
  /**
   * Changes the password of the user who is signed in, or sets the first one, and ends all other sessions.
   *
   * @throws CredentialsSignin if the current password is wrong
   * @throws SessionRequired if the visitor is not signed in
   * @throws StepUpRequired for a first password, if the sign-in is older than `account.freshFor`
   */
  readonly change: (...args: [...Args, fields: ChangePasswordFields | FormData]) => Promise<void>
  /**
   * Removes the password of the user who is signed in.
   *
   * @throws LastSignInMethod if the user has no other sign-in method
   * @throws SessionRequired, StepUpRequired as `change`
   */
  readonly remove: (...args: Args) => Promise<void>
  /**
   * When the user who is signed in has chosen their password, for an account page; `null`: the user has none, or the visitor
   * is not signed in.
   */
  readonly info: (...args: Args) => Promise<PasswordInfo | null>
}

type Call<Req> = (
  req: Req,
  action: PasswordAction,
  fields?: PasswordFields | FormData,
) => Promise<string>

/** `call` returns where the route redirects. */
export function passwordFunctions<Req>(
  call: Call<Req>,
  info: UserPassword<[req: Req]>['info'],
): UserPassword<[req: Req]> {
  return {
    signUp: async (req, fields) => void (await call(req, 'sign-up', fields)),
    verifyEmail: async (req, fields) => call(req, 'verify', fields),
    requestReset: async (req, fields) => void (await call(req, 'forgot', fields)),
    reset: async (req, fields) => void (await call(req, 'reset', fields)),
    change: async (req, fields) => void (await call(req, 'change', fields)),
    remove: async (req) => void (await call(req, 'remove')),
    info,
  }
}
