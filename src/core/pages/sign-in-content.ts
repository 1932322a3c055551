/** What the sign-in page shows. */
import type { ProviderIcon } from '../config/button.ts'
import type { LimitOptions } from '../config/protection-options.ts'
import type { BoundProvider } from '../contracts.ts'
import type { Problem } from '../log/problem.ts'
import type { PublicProvider } from '../types.ts'
import type { HiddenInputs } from './html.ts'
import type { Site } from './layout.ts'
import type { PasskeyPage, SignedInUser, SubmittedForm } from './sign-in-offer.ts'

export interface SignInChoice {
  readonly provider: Pick<BoundProvider, 'id' | 'name' | 'offer'>
  readonly routes: Pick<PublicProvider, 'signinUrl' | 'callbackUrl'>
  /** The icon of the provider module; `null` if it has none. */
  readonly icon?: ProviderIcon | null
}

export interface SignInPage extends Site {
  readonly choices: readonly SignInChoice[]
  readonly hidden: HiddenInputs
  readonly error: string | null
  /** The `code` of `CredentialsSignin`. */
  readonly code?: string | null
  /** Seconds until the next attempt, after `TooManyAttempts`; 0: unknown. */
  readonly retryAfter?: number
  readonly rejected?: SubmittedForm | null
  /** What the log contains about the error. Only in development. */
  readonly problem?: Problem | null
  /** Whether the user has just signed out on the page that `callbackUrl` names. */
  readonly isSignedOut?: boolean
  /** Of a browser that has requested a mail. */
  readonly mailLimit?: LimitOptions | null
  /** How many mails this browser has requested for the address. */
  readonly mailsRequested?: number
  readonly email?: string | undefined
  readonly passkeys?: PasskeyPage | undefined
  readonly signedIn?: SignedInUser | null
}
