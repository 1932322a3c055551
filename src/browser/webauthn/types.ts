import type { SignInErrorType, SignInOptions } from '../client/types.ts'
import type { CeremonyErrorCode } from '../../core/errors/ceremony-code.ts'

/** Options of `register`; all other properties are sent to the server, such as `email`. */
export interface PasskeyRegisterOptions<
  Redirect extends boolean = boolean,
> extends SignInOptions<Redirect> {
  /** Base path of the routes. @default that of `SessionProvider`, else '/api/auth' */
  basePath?: string
}

/** Options of `signIn`; all other properties are sent to the server, such as `email`. */
export interface PasskeySignInOptions<
  Redirect extends boolean = boolean,
> extends PasskeyRegisterOptions<Redirect> {
  /** @default `register` for a signed-in user, else `authenticate` */
  action?: 'authenticate' | 'register'
  /**
   * Offers passkeys in the autofill of the field with `autocomplete="username webauthn"`, without a dialog, and waits
   * until the user chooses one (conditional UI). Another request on the page ends it. @default false
   */
  autofill?: boolean
}

/** Result with `redirect: false`; check `error` first. */
export type PasskeyResponse =
  | {
      error: undefined
      code: undefined
      message: undefined
      status: number
      ok: boolean
      /** URL to continue at. */
      url: string
    }
  | {
      /** The error type of the server, or `CeremonyError` if the request failed in the browser. */
      error: SignInErrorType
      /** The reason of a `CeremonyError`, or the code of the server, such as `session_cannot_link`. */
      code: CeremonyErrorCode | (string & {}) | undefined
      /** English text for the user. */
      message: string
      /** HTTP status; 0 for a `CeremonyError`. */
      status: number
      ok: boolean
      url: null
    }
